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
shop = {"x-api-key": os.environ.get("SEMANA_MERCHANT_KEY", "sandbox-merchant-key")}
#endregion

#region quote
quote = call("POST", "/merchant/quotes", {"amount": 57.90, "installments": 3}, shop)
for installment in quote["installments"]:
    print(installment["due_on"], installment["amount"])
#endregion

#region offer
import uuid

order = str(uuid.uuid4())
body = {
    "amount": 57.90,
    "installments": 3,
    "items": [
        {"name": "Bolo de fubá", "quantity": 1, "amount": 62.90},
        {"name": "Desconto", "quantity": 1, "amount": -5.00},
    ],
    "reference": order,
    "return_url": "http://localhost:3005/pedido",
    "metadata": {"cart": "7781"},
}
offer = call("POST", "/merchant/offers", body, {**shop, "idempotency-key": order})
print(offer["link"])
#endregion

#region accept
login = call("POST", "/wallet/auth/login", {"phone": "+5511987650003", "password": "semana-demo-3"})
customer = {"x-token": login["token"]}
call("POST", "/wallet/offers/claim", {"code": offer["code"]}, customer)
call("POST", f"/wallet/offers/{offer['id']}/accept", {}, customer)
#endregion

#region read
offer = call("GET", f"/merchant/offers/{offer['id']}", headers=shop)
print(f"{offer['status']}, cart {offer['metadata']['cart']}")
#endregion

#region return
returns = f"/merchant/checkouts/{offer['checkout_hash']}/returns"
body = {"reason": "O bolo chegou amassado"}
print(call("POST", f"{returns}?dry_run=true", body, shop)["merchant"])
sale_return = call("POST", returns, body, {**shop, "idempotency-key": f"return-{order}"})
print(sale_return["checkout"]["amounts"])
#endregion
