"""From a key to a paid Pix, and a webhook that is verified. Python 3.9 or later, no packages.

Set SEMANA_URL, SEMANA_KEY and SEMANA_MERCHANT_KEY to use another sandbox and other keys.
"""

import base64, hashlib, hmac, json, os, threading, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

URL = os.environ.get("SEMANA_URL", "http://localhost:3000")
KEY = os.environ.get("SEMANA_KEY", "sandbox-demo-key")
MERCHANT_KEY = os.environ.get("SEMANA_MERCHANT_KEY", "sandbox-merchant-key")
PHONE, PASSWORD = "+5511987650003", "semana-demo-3"


def call(method, path, body=None, key=KEY, token=None):
    headers = {"x-api-key": key, "content-type": "application/json"}
    if token:
        headers["x-token"] = token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read())
        raise SystemExit(f"{method} {path}: {problem['code']}: {problem['detail']}")


#region verify
def verify(body, headers, secret):
    """Returns whether the delivery has a valid signature of the last five minutes. `body` is the raw bytes."""
    key = base64.b64decode(secret[len("whsec_"):])
    signed_content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected_signature = base64.b64encode(hmac.new(key, signed_content, hashlib.sha256).digest()).decode()
    signatures = [item.removeprefix("v1,") for item in headers["webhook-signature"].split(" ")]
    is_recent = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_recent and any(hmac.compare_digest(expected_signature, signature) for signature in signatures)
#endregion


pix_paid = threading.Event()


class WebhookHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_valid = verify(body, self.headers, hook["secret"])
        self.send_response(204 if is_valid else 400)
        self.end_headers()
        if is_valid and json.loads(body)["type"] == "pix.paid":
            pix_paid.set()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), WebhookHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
hook = call("POST", "/webhooks", {"url": f"http://127.0.0.1:{server.server_port}/hook", "events": ["pix.paid"]})

token = call("POST", "/wallet/auth/login", {"phone": PHONE, "password": PASSWORD})["token"]
order = {"amount": 100, "installments": 2, "metadata": {"cart": "7781"}}
offer = call("POST", "/merchant/offers", order, key=MERCHANT_KEY)
call("POST", "/wallet/offers/claim", {"code": offer["code"]}, token=token)
purchase = call("POST", f"/wallet/offers/{offer['id']}/accept", {}, token=token)
installment = purchase["installments"][0]
pix = call("POST", f"/wallet/installments/{installment['id']}/pix", {"type": "settle"}, token=token)
call("POST", f"/sandbox/pix/{pix['txid']}/pay", {})

if not pix_paid.wait(30):
    raise SystemExit("The webhook did not arrive.")
call("DELETE", f"/webhooks/{hook['id']}")
print(f"Paid {pix['value']:.2f}, and the webhook is verified.")
