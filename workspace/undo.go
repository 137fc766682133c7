package workspace

// A Call names one call of one session, for the pre-images that undo needs.
type Call struct {
	Session, ID string
}

func (c Call) check() error { return nil }

func (c *commit) keepImages() {}
