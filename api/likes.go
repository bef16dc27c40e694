// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// MaxSubjects is how many subjects a request may ask about.
const MaxSubjects = 100

// LikesRequest is the body of likes/write: changes of likes, all or none.
type LikesRequest struct {
	Changes  []LikeChange `json:"changes,omitempty"`
	Stream   string       `json:"stream,omitempty"`   // whose Position is stored with the changes
	Position *int64       `json:"position,omitempty"` // how far that stream has come
}

// LikeChange has the record Key of Account like Subject; without a Subject the record goes.
type LikeChange struct {
	Account string `json:"account"`
	Key     string `json:"key"`
	Subject string `json:"subject,omitempty"`
}

// LikersRequest asks for a page of the records that like a subject, the newest first.
type LikersRequest struct {
	Subject string
	Limit   int    // entries of the page, 1 to MaxLimit; 0 means DefaultLimit
	Cursor  string // of the page before; "" means the first
	Hidden  bool   // with hidden accounts
}

// Like is a record by which an account likes a subject.
type Like struct {
	Account string `json:"account"`
	Key     string `json:"key"`
}

// LikersReply is a page of the records that like a subject.
type LikersReply struct {
	Likes  []Like `json:"likes"`
	Cursor string `json:"cursor,omitempty"` // for the next page; absent on the last
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r LikersReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"likes":[`...)
	for i, like := range r.Likes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(dst, `{"account":`...), like.Account)
		dst = append(AppendString(append(dst, `,"key":`...), like.Key), '}')
	}
	return append(appendCursor(append(dst, ']'), r.Cursor), '}')
}

// LikedReply is a page of the subjects that an account likes.
type LikedReply struct {
	Subjects []string `json:"subjects"`
	Cursor   string   `json:"cursor,omitempty"` // for the next page; absent on the last
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r LikedReply) AppendJSON(dst []byte) []byte {
	dst = appendStrings(append(dst, `{"subjects":`...), r.Subjects)
	return append(appendCursor(dst, r.Cursor), '}')
}

// SubjectsRequest is the body of likes/lookup: what is asked about up to MaxSubjects subjects.
type SubjectsRequest struct {
	Subjects []string `json:"subjects"`
	Account  string   `json:"account,omitempty"` // whose records are wanted
	Viewer   string   `json:"viewer,omitempty"`  // whose known likers are wanted
	Limit    int      `json:"limit,omitempty"`   // how many known likers of each are listed
	Records  bool     `json:"records,omitempty"` // whether records are counted
}

// SubjectsReply has what is known about each subject, in the order of the question.
type SubjectsReply struct {
	Subjects []SubjectLikes `json:"subjects"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r SubjectsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// SubjectLikes is what is known about the likes of a subject.
type SubjectLikes struct {
	Accounts uint64       `json:"accounts"`          // how many like it
	Records  *uint64      `json:"records,omitempty"` // if asked for
	Key      *string      `json:"key,omitempty"`     // of the account's first record; "": it does not like the subject
	Known    *KnownLikers `json:"known,omitempty"`   // if there is a viewer
}

// KnownLikers are the accounts that a viewer follows among those of the newest likes of a subject.
type KnownLikers struct {
	Count    uint64   `json:"count"`
	Accounts []string `json:"accounts"`
}
