#!/usr/bin/env python3
"""A scripted model on loopback that speaks the Responses API (SSE) and Chat Completions (SSE).
usage: stub_model.py PORT SCRIPT.json LOG ; SCRIPT = list of turns, each {"tool": name, "args": {...}} or {"say": text}.
In args, {{TAG:path}} is replaced by the newest [path#TAG] seen in the conversation. A tool name is matched by suffix
against the tools the client offers."""
import json, re, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
port, script, log = int(sys.argv[1]), json.load(open(sys.argv[2])), open(sys.argv[3], "a")
def fill(x, convo):
    def tag(m):
        t = re.findall(re.escape("[" + m[1] + "#") + r"([0-9A-F]{4})\]", convo); return t[-1] if t else "0000"
    if isinstance(x, str): return re.sub(r"\{\{TAG:([^}]*)\}\}", tag, x)
    if isinstance(x, dict): return {k: fill(v, convo) for k, v in x.items()}
    return x
class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def do_GET(self):
        b = json.dumps({"object": "list", "data": [{"id": "stub", "object": "model"}]}).encode()
        self.send_response(200); self.send_header("content-type", "application/json"); self.send_header("content-length", str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        log.write(json.dumps({"path": self.path, "body": body}) + "\n"); log.flush()
        resp = "input" in body
        items = body.get("input") if resp else body.get("messages", [])
        if resp:
            done = sum(1 for i in items if isinstance(i, dict) and i.get("type") == "function_call_output")
        else:
            done = sum(1 for m in items if m.get("role") == "tool")
        names = []
        for t in body.get("tools", []):
            if t.get("type") == "namespace":
                names += [(t["name"] , f["name"]) for f in t.get("tools", [])]
            else:
                names.append((None, t.get("name") or t.get("function", {}).get("name") or ""))
        convo = json.dumps(items, ensure_ascii=False).replace('\\"', '"').replace("\\n", "\n")
        turn = script[done] if done < len(script) else {"say": "done"}
        if not names: turn = {"say": "title"}
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.send_header("connection", "close"); self.end_headers()
        def ev(o, name=None):
            self.wfile.write(((f"event: {name}\n" if name else "") + "data: " + (o if isinstance(o, str) else json.dumps(o)) + "\n\n").encode()); self.wfile.flush()
        if "tool" in turn:
            cand = [n for n in names if n[1] == turn["tool"] or n[1].endswith("__" + turn["tool"]) or n[1].endswith("_" + turn["tool"])]
            cand = [n for n in cand if "putcut" in ((n[0] or "") + n[1])] or cand
            ns, name = cand[0] if cand else (None, turn["tool"]); args = json.dumps(fill(turn["args"], convo))
        if resp:
            rid = f"resp_{done}"; ev({"type": "response.created", "response": {"id": rid}}, "response.created")
            if "tool" in turn:
                item = {"type": "function_call", "id": f"fc_{done}", "call_id": f"call_{done}", "name": name, "arguments": args, "status": "completed"}
                if ns: item["namespace"] = ns
            else:
                item = {"type": "message", "id": f"m_{done}", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": turn["say"], "annotations": []}]}
            ev({"type": "response.output_item.done", "output_index": 0, "item": item}, "response.output_item.done")
            ev({"type": "response.completed", "response": {"id": rid, "status": "completed", "output": [item], "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}}}, "response.completed")
        else:
            base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
            if "tool" in turn:
                ev({**base, "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call_{done}", "type": "function", "function": {"name": name, "arguments": args}}]}, "finish_reason": None}]})
                ev({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
            else:
                ev({**base, "choices": [{"index": 0, "delta": {"role": "assistant", "content": turn["say"]}, "finish_reason": None}]})
                ev({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
            ev("[DONE]")
ThreadingHTTPServer(("127.0.0.1", port), H).serve_forever()
