#region key
import json, os, time, urllib.error, urllib.request, uuid

URL = os.environ.get("SEMANA_URL", "http://localhost:3000")
KEY = os.environ.get("SEMANA_MERCHANT_KEY", "sandbox-merchant-key")


def send(request, max_attempts=3):
    """Repeats a request after a lost connection and after 429 and 503."""
    for attempt in range(1, max_attempts + 1):
        try:
            with urllib.request.urlopen(request) as response:
                return response.headers, json.loads(response.read())
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == max_attempts:
                raise
            time.sleep(int(error.headers["retry-after"] or 2**attempt / 2))
        except urllib.error.URLError:
            if attempt == max_attempts:
                raise
            time.sleep(2**attempt / 2)


def create_offer(order_id):
    """Creates at most one offer for an order, however often it is called."""
    body = json.dumps({"amount": 100, "installments": 2}).encode()
    headers = {"x-api-key": KEY, "content-type": "application/json", "idempotency-key": order_id}
    return send(urllib.request.Request(URL + "/merchant/offers", body, headers))
#endregion


#region repeat
order_id = str(uuid.uuid4())
_, first_offer = create_offer(order_id)
headers, second_offer = create_offer(order_id)
if first_offer["id"] == second_offer["id"]:
    print("the same offer")
print("idempotency-replayed:", headers["idempotency-replayed"])
#endregion
