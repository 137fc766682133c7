package main

import "putcut/internal/fetch"

// A release names two versions of one public package.
type release struct {
	npm      bool
	name     string
	from, to string
}

// releases are the histories that are replayed. They were chosen for the
// languages whose sources they ship, before any figure was taken.
var releases = []release{
	{name: "github.com/apache/thrift", from: "v0.18.1", to: "v0.19.0"},
	{name: "github.com/google/flatbuffers", from: "v23.5.26+incompatible", to: "v24.3.25+incompatible"},
	{name: "github.com/pulumi/pulumi/sdk/v3", from: "v3.100.0", to: "v3.110.0"},
	{name: "github.com/gohugoio/hugo", from: "v0.120.0", to: "v0.124.0"},
	{name: "github.com/evanw/esbuild", from: "v0.19.0", to: "v0.21.0"},
	{name: "golang.org/x/tools", from: "v0.20.0", to: "v0.24.0"},
	{name: "google.golang.org/grpc", from: "v1.60.0", to: "v1.63.0"},
	{npm: true, name: "rxjs", from: "7.5.0", to: "7.8.1"},
	{npm: true, name: "bootstrap", from: "5.2.0", to: "5.3.3"},
	{npm: true, name: "node-gyp", from: "9.4.0", to: "10.2.0"},
	{npm: true, name: "better-sqlite3", from: "8.0.0", to: "11.0.0"},
	{npm: true, name: "node-addon-api", from: "5.0.0", to: "8.0.0"},
	{npm: true, name: "preact", from: "10.11.0", to: "10.22.0"},
	{npm: true, name: "svelte", from: "4.0.0", to: "4.2.18"},
	{npm: true, name: "@types/node", from: "18.11.0", to: "20.14.0"},
	{npm: true, name: "tree-sitter-rust", from: "0.20.4", to: "0.21.0"},
	{name: "github.com/apache/beam/sdks/v2", from: "v2.50.0", to: "v2.53.0"},
	{name: "github.com/spf13/cobra", from: "v1.6.0", to: "v1.8.0"},
	{name: "github.com/gin-gonic/gin", from: "v1.8.0", to: "v1.10.0"},
	{npm: true, name: "react-native", from: "0.73.0", to: "0.74.0"},
	{npm: true, name: "vue", from: "3.3.0", to: "3.4.0"},
	{npm: true, name: "eslint", from: "8.40.0", to: "9.0.0"},
	{npm: true, name: "express", from: "4.18.0", to: "5.0.0"},
	{npm: true, name: "@angular/core", from: "16.0.0", to: "17.0.0"},
	{name: "github.com/prometheus/client_golang", from: "v1.14.0", to: "v1.19.0"},
	{name: "github.com/labstack/echo/v4", from: "v4.9.0", to: "v4.12.0"},
	{name: "github.com/hashicorp/consul/api", from: "v1.20.0", to: "v1.28.0"},
	{npm: true, name: "expo-modules-core", from: "1.5.3", to: "1.12.0"},
	{npm: true, name: "webpack", from: "5.80.0", to: "5.90.0"},
	{npm: true, name: "@capacitor/android", from: "4.0.0", to: "6.0.0"},
	{npm: true, name: "sqlite3", from: "5.0.0", to: "5.1.6"},
	{npm: true, name: "fastify", from: "4.0.0", to: "4.28.0"},
}

// files returns the files of one version, by path within the package; dir is a
// folder for archives.
func (r release) files(version, dir string) (map[string][]byte, error) {
	if r.npm {
		return fetch.NPM(r.name, version, dir, maxBytes)
	}
	return fetch.Go(r.name, version, maxBytes)
}
