#include "sitter.h"

TSTree *putcut_parse(const void *lang, const TSTree *old, const char *text, uint32_t len, uint64_t micros, const size_t *cancel) {
	TSParser *p = ts_parser_new();
	TSTree *tree = NULL;
	if (ts_parser_set_language(p, (const TSLanguage *)lang)) {
		ts_parser_set_timeout_micros(p, micros);
		ts_parser_set_cancellation_flag(p, cancel);
		tree = ts_parser_parse_string(p, old, text, len);
	}
	ts_parser_delete(p);
	return tree;
}

void putcut_edit(TSTree *tree, uint32_t start, uint32_t old_end, uint32_t new_end, uint32_t sr, uint32_t sc, uint32_t or, uint32_t oc, uint32_t nr, uint32_t nc) {
	TSInputEdit e = {start, old_end, new_end, {sr, sc}, {or, oc}, {nr, nc}};
	ts_tree_edit(tree, &e);
}

uint32_t putcut_flatten(const TSTree *tree, const uint8_t *about, uint32_t kinds, bool all, flat_node *a, uint32_t cap) {
	TSTreeCursor cur = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t n = 0;
	int32_t parent = -1;
	bool in_deep = false;      // the parent's kind is deep
	int64_t used = -1;         // the last row on which a leaf ended
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cur);
		if (n == cap) {
			ts_tree_cursor_delete(&cur);
			return cap + 1;
		}
		uint16_t kind = ts_node_symbol(node);
		uint8_t k = kind < kinds ? about[kind] : KIND_NAMED | KIND_KEEP;
		if ((k & KIND_SKIP) && !all) goto next;
		// What ts_node_start_point returns, without a call for every node.
		TSPoint from = {node.context[1], node.context[2]}, to = ts_node_end_point(node);
		bool broken = ts_node_has_error(node);
		bool descend = from.row != to.row || broken || n == 0 || all || (k & KIND_DEEP);
		bool keep = descend || in_deep || (k & (KIND_NAMED | KIND_KEEP)) || (int64_t)from.row > used;
		if (keep) {
			flat_node *f = &a[n];
			f->start = node.context[0];
			f->end = ts_node_end_byte(node);
			f->row = from.row;
			f->last = to.row;
			f->parent = parent;
			f->kind = kind;
			f->field = in_deep || all ? ts_tree_cursor_current_field_id(&cur) : 0;
			f->flags = (k & KIND_NAMED ? FLAT_NAMED : 0) | (broken ? FLAT_BROKEN : 0);
			if (broken) f->flags |= (ts_node_is_error(node) ? FLAT_ERROR : 0) | (ts_node_is_missing(node) ? FLAT_MISSING : 0);
			f->unused = 0;
			f->next = (int32_t)n + 1;
			if (descend && ts_tree_cursor_goto_first_child(&cur)) {
				parent = (int32_t)n++;
				in_deep = k & KIND_DEEP;
				continue;
			}
			n++;
		}
		if (to.column > 0 && (int64_t)to.row > used) used = to.row;
	next:
		while (!ts_tree_cursor_goto_next_sibling(&cur)) {
			if (!ts_tree_cursor_goto_parent(&cur)) {
				ts_tree_cursor_delete(&cur);
				return n;
			}
			a[parent].next = (int32_t)n;
			parent = a[parent].parent;
			in_deep = parent >= 0 && a[parent].kind < kinds && (about[a[parent].kind] & KIND_DEEP);
		}
	}
}
