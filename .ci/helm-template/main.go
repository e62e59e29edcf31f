// Renders a Helm chart as `helm template NAME CHART [-f VALUES]...` does, with the libraries that Helm uses:
// Debian has no helm. Only what charts of this project need is here.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func read(path string) object {
	content, err := os.ReadFile(path)
	check(err)
	values := object{}
	check(yaml.Unmarshal(content, &values))
	return values
}

// Later values replace earlier ones; maps are merged, and null removes.
func merge(into, from object) {
	for key, value := range from {
		old, isOld := into[key].(object)
		if new, isNew := value.(object); isOld && isNew {
			merge(old, new)
		} else if value == nil {
			delete(into, key)
		} else {
			into[key] = value
		}
	}
}

func main() {
	if len(os.Args) < 4 || os.Args[1] != "template" {
		check(fmt.Errorf("usage: helm template NAME CHART [-f VALUES]"))
	}
	name, folder := os.Args[2], os.Args[3]
	values := read(filepath.Join(folder, "values.yaml"))
	for i := 4; i+1 < len(os.Args); i += 2 {
		merge(values, read(os.Args[i+1]))
	}
	chart := object{}
	for key, value := range read(filepath.Join(folder, "Chart.yaml")) {
		chart[strings.ToUpper(key[:1])+key[1:]] = value
	}
	data := object{
		"Values":  values,
		"Chart":   chart,
		"Release": object{"Name": name, "Namespace": "default", "Service": "Helm", "IsInstall": true, "Revision": 1},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		check(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["toJson"] = func(value interface{}) string {
		text, err := json.Marshal(value)
		check(err)
		return string(text)
	}
	all.Funcs(functions)

	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	check(err)
	sort.Strings(paths)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		check(err)
		_, err = all.New(path).Parse(string(content))
		check(err)
	}
	for _, path := range paths {
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, path, data)) // NOTES.txt too, for its errors
		if strings.HasSuffix(path, ".yaml") && strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", path, text.String())
		}
	}
}
