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

#region login
CREDENTIALS='{"phone": "+5511987650001", "password": "semana-demo-1"}'
TOKEN=$(call POST /wallet/auth/login -d "$CREDENTIALS" | jq -r .token)
#endregion

#region purchases
HASH=$(call GET /wallet/checkouts -H "x-token: $TOKEN" | jq -r 'first(.data[] | select(.status != "paid")).hash')
INSTALLMENT=$(call GET "/wallet/checkouts/$HASH" -H "x-token: $TOKEN" |
  jq 'first(.installments[] | select(.status != "paid"))')
echo "$INSTALLMENT" | jq -r '"\(.status), due on \(.due_on): \(.total_due)"'
#endregion

#region pix
ID=$(echo "$INSTALLMENT" | jq -r .id)
PIX=$(call POST "/wallet/installments/$ID/pix" -H "x-token: $TOKEN" -d '{"type": "settle_with_penalty"}')
echo "$PIX" | jq -r .br_code
#endregion

#region pay
call POST "/sandbox/pix/$(echo "$PIX" | jq -r .txid)/pay" -d '{}' > /dev/null
#endregion

#region wait
PIX_PATH="/wallet/pix/$(echo "$PIX" | jq -r .id)"
until [ "$(call GET "$PIX_PATH" -H "x-token: $TOKEN" | jq -r .status)" = paid ]; do sleep 1; done
echo paid
#endregion
