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

#region login
login = call("POST", "/wallet/auth/login", {"phone": "+5511987650001", "password": "semana-demo-1"})
customer_headers = {"x-token": login["token"]}
#endregion

#region purchases
purchases = call("GET", "/wallet/checkouts", headers=customer_headers)["data"]
purchase = next(item for item in purchases if item["status"] != "paid")
installments = call("GET", f"/wallet/checkouts/{purchase['hash']}", headers=customer_headers)["installments"]
installment = next(item for item in installments if item["status"] != "paid")
print(f"{installment['status']}, due on {installment['due_on']}: {installment['total_due']}")
#endregion

#region pix
pix = call("POST", f"/wallet/installments/{installment['id']}/pix", {"type": "settle_with_penalty"}, customer_headers)
print(pix["br_code"])
#endregion

#region pay
call("POST", f"/sandbox/pix/{pix['txid']}/pay", {})
#endregion

#region wait
import time

while pix["status"] != "paid":
    time.sleep(1)
    pix = call("GET", f"/wallet/pix/{pix['id']}", headers=customer_headers)
print(pix["status"])
#endregion
