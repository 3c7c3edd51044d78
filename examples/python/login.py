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

#region send
phone = "+5511987650002"
challenge_id = call("POST", "/wallet/auth/otp", {"phone": phone})["challenge_id"]
#endregion

#region read
messages = call("GET", f"/sandbox/messages?phone={urllib.parse.quote(phone)}&limit=1")
code = messages["data"][0]["code"]
#endregion

#region login
login = call("POST", "/wallet/auth/otp/login", {"phone": phone, "challenge_id": challenge_id, "code": code})
print(call("GET", "/wallet/me", headers={"x-token": login["token"]})["name"])
#endregion

#region refresh
import uuid

headers = {"idempotency-key": str(uuid.uuid4())}
login = call("POST", "/wallet/auth/refresh", {"refresh_token": login["refresh_token"]}, headers)
print(login["expires_in"])
#endregion
