package library
import ("testing";"runtime";"fmt";"os";"sort";"github.com/uproar-db/uproar/bitmap"; roaring "github.com/RoaringBitmap/roaring/v2")
func TestTmp(t *testing.T){
 runtime.LockOSThread()
 set:=os.Getenv("SET"); if set=="" {set="uscensus2000"}
 var d *dataset
 for _,s:=range sources("../../../shared/data/realdata") { if s.name==set { var err error; d,err=s.make(); if err!=nil {t.Fatal(err)} } }
 type pr struct{a,b bitmap.View; ra,rb *roaring.Bitmap}
 m:=map[string][]pr{}
 kind:=func(v bitmap.View) string { b:=v.Body(); if len(b)==0 {return "empty"}; switch { case b[0]==0xF8: if b[1]&7==0 && b[2]==0 || b[1]&7==1&&b[2]==0&&b[3]==0 {return "dir1"}; return "dir"; case b[0]==0xF9: return "single"; case b[0]>=0xFB: return "fixed"}; return "list" }
 mk:=func(v []uint64) (bitmap.View,*roaring.Bitmap) { r:=roaring.New(); for _,x:=range v { r.Add(uint32(x)) }; return bitmap.FromSorted(v).View(), r }
 for i:=0;i+1<len(d.sets) && i<1500;i++{ a,ra:=mk(d.sets[i].wide); b,rb:=mk(d.sets[i+1].wide)
  k1,k2:=kind(a),kind(b); if k1>k2 {k1,k2=k2,k1}
  k:=k1+"x"+k2
  x,y:=d.sets[i].wide,d.sets[i+1].wide
  if x[len(x)-1]<y[0]||y[len(y)-1]<x[0] {k+=" apart"}
  m[k]=append(m[k],pr{a,b,ra,rb}) }
 var ks []string; for k:=range m {ks=append(ks,k)}; sort.Strings(ks)
 for _,k:=range ks { ps:=m[k]; if c:=os.Getenv("CLASS"); c!="" && c!=k {continue}
  for _,op:=range []string{"AndLen","And"} { if c:=os.Getenv("OP"); c!="" && c!=op {continue}
  best:=[2]float64{1e18,1e18}
  n:=20000/len(ps)+1
  for r:=0;r<reps();r++ { for w:=0;w<2;w++ { t0:=threadTime(); for j:=0;j<n;j++ { for i:=range ps { p:=&ps[i]
    switch { case op=="AndLen"&&w==0: bitmap.AndLen(p.a,p.b); case op=="AndLen": p.ra.AndCardinality(p.rb); case w==0: bitmap.And(p.a,p.b); default: roaring.And(p.ra,p.rb) } } }
   e:=float64(threadTime()-t0)/float64(n*len(ps)); if e<best[w] {best[w]=e} } }
  fmt.Printf("%-22s %5d %-8s %8.1f %8.1f %5.2f\n",k,len(ps),op,best[0],best[1],best[1]/best[0]) } }
}
func reps() int { if os.Getenv("CLASS")!="" {return 400}; return 40 }
