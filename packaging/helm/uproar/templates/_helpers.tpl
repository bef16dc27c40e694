{{- define "uproar.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "uproar.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "uproar.labels" -}}
{{ include "uproar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "uproar.scheme" -}}{{ if .Values.tls.secret }}https{{ else }}http{{ end }}{{- end }}

{{- define "uproar.args" -}}
{{- $name := include "uproar.name" . }}
{{- $args := list "serve" "--config=/etc/uproar/uproar.toml" "--dir=/data/uproar" "--addr=0.0.0.0:7070" }}
{{- if .Values.tokens.secret }}{{ $args = append $args "--tokens=/etc/uproar/tokens/tokens" }}{{ end }}
{{- if .Values.tls.secret }}
{{- $args = concat $args (list "--tls-cert=/etc/uproar/tls/tls.crt" "--tls-key=/etc/uproar/tls/tls.key") }}{{ end }}
{{- if not (and .Values.tokens.secret .Values.tls.secret) }}{{ $args = append $args "--insecure-listen" }}{{ end }}
{{- if not .Values.tokens.secret }}
{{- range list $name (printf "%s.%s" $name .Release.Namespace) (printf "*.%s.svc" .Release.Namespace) (printf "*.%s.svc.cluster.local" .Release.Namespace) }}
{{- $args = append $args (printf "--host=%s" .) }}{{ end }}{{ end }}
{{- if .Values.log.url }}
{{- $args = concat $args (list (printf "--log=%s" .Values.log.url) (printf "--forward=%s" .Values.log.forward) "--node=$(POD_NAME)" (printf "--advertise=%s://$(POD_NAME).%s-copies.%s.svc.cluster.local:7070" (include "uproar.scheme" .) $name .Release.Namespace)) }}{{ end }}
{{- toJson $args }}
{{- end }}
