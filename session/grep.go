package session

import (
	"context"
	"errors"
)

// Grep searches.
func (s *Session) Grep(ctx context.Context, req GrepRequest) (*GrepResult, error) {
	return nil, errors.New("not yet")
}
