package session

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"putcut/refusal"
)

// parseRanges reads "40-80,200-" as sorted runs of lines that neither overlap
// nor touch. The end 0 means the last line. Empty means all.
func parseRanges(list string) ([][2]int, error) {
	if strings.TrimSpace(list) == "" {
		return [][2]int{{1, 0}}, nil
	}
	bad := func(part, why string) error {
		return refusal.New(refusal.InvalidArgument, "`%s` is no range: %s", part, why).
			WithNext("Write ranges as `40-80,200-`: first and last line from 1, an open end for the rest of the file, a single number for one line")
	}
	var out [][2]int
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		first, last, dash := strings.Cut(part, "-")
		a, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil {
			return nil, bad(part, "it does not start with a line number")
		}
		if a < 1 {
			return nil, bad(part, "lines count from 1")
		}
		b := a
		if dash {
			b = 0
			if last = strings.TrimSpace(last); last != "" {
				if b, err = strconv.Atoi(last); err != nil || b < 1 {
					return nil, bad(part, "its end is no line number")
				}
				if b < a {
					return nil, bad(part, "its end comes before its start")
				}
			}
		}
		out = append(out, [2]int{a, b})
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	merged := out[:1]
	for _, r := range out[1:] {
		m := &merged[len(merged)-1]
		switch {
		case m[1] == 0:
		case r[0] > m[1]+1:
			merged = append(merged, r)
		case r[1] == 0 || r[1] > m[1]:
			m[1] = r[1]
		}
	}
	return merged, nil
}
