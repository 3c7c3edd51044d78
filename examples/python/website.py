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

#region search
# A search tolerates one wrong or missing letter: 'padria' finds 'Padaria'.
for merchant in call("GET", "/public/merchants?q=padria&limit=3")["data"]:
    print(merchant["name"])
#endregion

#region quote
quote = call("GET", "/public/merchants/padaria-flor-do-trigo/quote?amount=240&installments=4")
installments, terms = quote["installments"], quote["terms"]
print(f"{len(installments)} x {installments[0]['amount']}, CET {terms['cet_percent_month']} % a month")
#endregion

#region revalidate
first_response = urllib.request.urlopen(urllib.request.Request(URL + "/public/faq", headers={"x-api-key": KEY}))
headers = {"x-api-key": KEY, "if-none-match": first_response.headers["etag"]}
try:
    urllib.request.urlopen(urllib.request.Request(URL + "/public/faq", headers=headers))
except urllib.error.HTTPError as response:  # urllib raises for every status but 2xx
    print(response.code)
#endregion

#region lead
lead = {
    "kind": "partner",
    "name": "Joana Prado",
    "email": "joana@example.com",
    "message": "Quero vender com a Semana.",
}
print(call("POST", "/public/leads", lead)["id"])
#endregion
