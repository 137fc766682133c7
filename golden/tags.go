package golden

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// printed are the tags that results have printed, by path, distinct, in order.
type printed struct {
	root string
	all  map[string][]string
	last map[string]string
}

var headerRow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\[(.+)#([0-9A-F]{4})\]$`) })

// note records the header rows of a result.
func (p *printed) note(text string) {
	for _, m := range headerRow().FindAllStringSubmatch(text, -1) {
		path, tag := m[1], m[2]
		p.last[path] = tag
		if !slices.Contains(p.all[path], tag) {
			p.all[path] = append(p.all[path], tag)
		}
	}
}

// placeholder is {{tag PATH}}, {{tag@K PATH}} or {{root}}. Anything else in
// braces is text.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{(?:root|tag(@[0-9]+)? ([^{}\n]+))\}\}`) })

// expand replaces placeholders.
func (p *printed) expand(s string) (string, error) {
	var bad error
	out := placeholder().ReplaceAllStringFunc(s, func(hit string) string {
		m := placeholder().FindStringSubmatch(hit)
		path := m[2]
		switch {
		case path == "":
			return p.root
		case len(p.all[path]) == 0:
			bad = fmt.Errorf("%s: no result has printed a tag of %s yet", hit, path)
		case m[1] == "":
			return p.last[path]
		default:
			k, err := strconv.Atoi(m[1][1:])
			if err == nil && k < len(p.all[path]) {
				return p.all[path][k]
			}
			bad = fmt.Errorf("%s: results have printed %d tags of %s, and the first is @0", hit, len(p.all[path]), path)
		}
		return hit
	})
	return out, bad
}

func (p *printed) expandArgs(args map[string]any) (map[string]any, error) {
	out := make(map[string]any, len(args))
	for k, v := range args {
		if s, ok := v.(string); ok {
			e, err := p.expand(s)
			if err != nil {
				return nil, err
			}
			v = e
		}
		out[k] = v
	}
	return out, nil
}

// tagWord is a tag in running text.
var tagWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(#|\btag )([0-9A-F]{4})\b`) })

// symbolic writes the root, and where tags says so the tags that were printed,
// as placeholders. Expanding gives the text back, or ok is false.
func (p *printed) symbolic(text string, tags bool) (out string, ok bool) {
	out = text
	if tags {
		out = headerRow().ReplaceAllStringFunc(out, func(row string) string {
			m := headerRow().FindStringSubmatch(row)
			return "[" + m[1] + "#" + p.name(m[1], m[2]) + "]"
		})
		// A tag that stands elsewhere, as in "read under #1A2B", is named by its
		// path only if no other path had it.
		out = tagWord().ReplaceAllStringFunc(out, func(hit string) string {
			m, owner := tagWord().FindStringSubmatch(hit), ""
			for path, all := range p.all {
				if slices.Contains(all, m[2]) {
					if owner != "" {
						return hit
					}
					owner = path
				}
			}
			if owner == "" {
				return hit
			}
			return m[1] + p.name(owner, m[2])
		})
	}
	out = strings.ReplaceAll(out, p.root, "{{root}}")
	back, err := p.expand(out)
	return out, err == nil && back == text
}

// name is a tag of a path as a placeholder, or the tag itself if it has none.
func (p *printed) name(path, tag string) string {
	k := slices.Index(p.all[path], tag)
	switch {
	case strings.ContainsAny(path, "{}") || k < 0:
		return tag
	case p.last[path] == tag:
		return "{{tag " + path + "}}"
	}
	return "{{tag@" + strconv.Itoa(k) + " " + path + "}}"
}
