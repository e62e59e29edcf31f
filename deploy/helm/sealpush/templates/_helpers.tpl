{{- define "sealpush.selector" -}}
app.kubernetes.io/name: sealpush
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sealpush.labels" -}}
{{ include "sealpush.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
