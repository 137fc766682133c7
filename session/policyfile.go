package session

import (
	"putcut/workspace"
	"putcut/workspace/policy"
)

// rules are the policy files that govern the roots, read once when the session
// starts. A file that cannot be understood forbids every edit.
type rules struct {
	policies []*policy.Policy
	broken   error
}

// loadRules finds the policy file of each root.
func loadRules(ws *workspace.Workspace) rules {
	var r rules
	for _, root := range ws.Roots() {
		p, err := policy.Find(root)
		if err != nil {
			r.broken = err
			continue
		}
		if p != nil {
			r.policies = append(r.policies, p)
		}
	}
	return r
}

// check refuses a file that a policy does not let tools edit.
func (r rules) check(t *workspace.Target) error {
	if r.broken != nil {
		return r.broken
	}
	for _, p := range r.policies {
		if err := p.Check(t.Key); err != nil {
			return err
		}
	}
	return nil
}

// tighten lowers limits to those of the policies and fills in what they say of
// syntax, unless the caller did.
func (r rules) tighten(lim *Limits, structure *Structure) {
	lower := func(v *int, to int) {
		if to > 0 && to < *v {
			*v = to
		}
	}
	for _, p := range r.policies {
		lower(&lim.ScriptBytes, int(p.Limits.ScriptBytes))
		lower(&lim.Ops, p.Limits.Ops)
		lower(&lim.Files, p.Limits.Files)
		lower(&lim.ExpandedLines, p.Limits.ExpandedLines)
		if n := p.Limits.FileBytes; n > 0 && n < lim.FileBytes {
			lim.FileBytes = n
		}
		if *structure == "" {
			*structure = Structure(p.Structure)
		}
	}
}

// checkWritable asks the workspace, then the policy files.
func (s *Session) checkWritable(t *workspace.Target) error {
	if err := s.ws.CheckWritable(t); err != nil {
		return err
	}
	return s.rules.check(t)
}
