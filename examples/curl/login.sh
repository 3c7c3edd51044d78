#!/bin/sh
set -eu
#region setup
SEMANA_URL="${SEMANA_URL:-http://localhost:3000}"
SEMANA_KEY="${SEMANA_KEY:-sandbox-demo-key}"

# Usage: call METHOD PATH [CURL_OPTION...]. The examples read the responses with jq.
call() {
  method=$1 path=$2
  shift 2
  curl -sS --fail-with-body -X "$method" "$SEMANA_URL$path" \
    -H "x-api-key: $SEMANA_KEY" -H 'content-type: application/json' "$@"
}
#endregion

#region send
PHONE='+5511987650002'
CHALLENGE_ID=$(call POST /wallet/auth/otp -d "{\"phone\": \"$PHONE\"}" | jq -r .challenge_id)
#endregion

#region read
CODE=$(call GET "/sandbox/messages?phone=%2B5511987650002&limit=1" | jq -r '.data[0].code')
#endregion

#region login
CREDENTIALS="{\"phone\": \"$PHONE\", \"challenge_id\": \"$CHALLENGE_ID\", \"code\": \"$CODE\"}"
LOGIN=$(call POST /wallet/auth/otp/login -d "$CREDENTIALS")
TOKEN=$(echo "$LOGIN" | jq -r .token)
call GET /wallet/me -H "x-token: $TOKEN" | jq -r .name
#endregion

#region refresh
REFRESH_INPUT=$(echo "$LOGIN" | jq '{refresh_token}')
LOGIN=$(call POST /wallet/auth/refresh -d "$REFRESH_INPUT" -H "idempotency-key: refresh-$(date +%s)-$$")
echo "$LOGIN" | jq .expires_in
#endregion
