#region setup
import json, os, urllib.error, urllib.parse, urllib.request

URL = os.environ.get("SEMANA_URL", "http://localhost:3000")
KEY = os.environ.get("SEMANA_KEY", "sandbox-demo-key")


def call(method, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, {"x-api-key": KEY, **headers}, method=method)
    if data is not None:
        request.add_header("content-type", "application/json")
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read())
        raise SystemExit(f"{problem['code']}: {problem['detail']}")
#endregion

#region register
hook_url = os.environ.get("HOOK_URL", "http://localhost:4000/hook")
hook = call("POST", "/webhooks", {"url": hook_url, "events": ["lead.received", "pix.paid"]})
print(hook["secret"])
#endregion

#region test
outcome = call("POST", f"/webhooks/{hook['id']}/test")
print(outcome["status"], outcome["attempts"])
#endregion

#region event
import uuid

lead = {"kind": "partner", "name": f"Joana {uuid.uuid4()}", "email": "joana@example.com"}
call("POST", "/public/leads", lead)
#endregion

#region deliveries
import time

lead_deliveries = []
while not lead_deliveries:
    time.sleep(1)
    deliveries = call("GET", f"/webhooks/{hook['id']}/deliveries")["data"]
    lead_deliveries = [item for item in deliveries if item["type"] == "lead.received"]
delivery = call("GET", f"/webhooks/{hook['id']}/deliveries/{lead_deliveries[0]['id']}")
print(delivery["status"], delivery["response"])
#endregion

#region resend
print(call("POST", f"/webhooks/{hook['id']}/deliveries/{delivery['id']}/resend")["status"])
#endregion

#region delete
call("DELETE", f"/webhooks/{hook['id']}")
#endregion
