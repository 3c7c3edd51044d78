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

#region keys
merchant_headers = {"x-api-key": os.environ.get("SEMANA_MERCHANT_KEY", "sandbox-merchant-key")}
#endregion

#region quote
quote = call("POST", "/merchant/quotes", {"amount": 57.90, "installments": 3}, merchant_headers)
for installment in quote["installments"]:
    print(installment["due_on"], installment["amount"])
#endregion

#region offer
import uuid

order_id = str(uuid.uuid4())
body = {
    "amount": 57.90,
    "installments": 3,
    "items": [
        {"name": "Bolo de fubá", "quantity": 1, "amount": 62.90},
        {"name": "Desconto", "quantity": 1, "amount": -5.00},
    ],
    "reference": order_id,
    "return_url": "http://localhost:3005/pedido",
    "metadata": {"cart": "7781"},
}
offer = call("POST", "/merchant/offers", body, {**merchant_headers, "idempotency-key": order_id})
print(offer["link"])
#endregion

#region accept
login = call("POST", "/wallet/auth/login", {"phone": "+5511987650003", "password": "semana-demo-3"})
customer_headers = {"x-token": login["token"]}
call("POST", "/wallet/offers/claim", {"code": offer["code"]}, customer_headers)
call("POST", f"/wallet/offers/{offer['id']}/accept", {}, customer_headers)
#endregion

#region read
offer = call("GET", f"/merchant/offers/{offer['id']}", headers=merchant_headers)
print(f"{offer['status']}, cart {offer['metadata']['cart']}")
#endregion

#region return
returns = f"/merchant/checkouts/{offer['checkout_hash']}/returns"
body = {"reason": "O bolo chegou amassado"}
print(call("POST", f"{returns}?dry_run=true", body, merchant_headers)["merchant"])
sale_return = call("POST", returns, body, {**merchant_headers, "idempotency-key": f"return-{order_id}"})
print(sale_return["checkout"]["amounts"])
#endregion
