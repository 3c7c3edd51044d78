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

#region search
# A search tolerates one wrong or missing letter: 'padria' finds 'Padaria'.
call GET '/public/merchants?q=padria&limit=3' | jq -r '.data[].name'
#endregion

#region quote
call GET '/public/merchants/padaria-flor-do-trigo/quote?amount=240&installments=4' |
  jq -r '"\(.installments | length) x \(.installments[0].amount), CET \(.terms.cet_percent_month) % a month"'
#endregion

#region revalidate
etag=$(curl -sS -o faq.json -w '%header{etag}' "$SEMANA_URL/public/faq" -H "x-api-key: $SEMANA_KEY")
curl -sS -o faq.json -w '%{http_code}\n' "$SEMANA_URL/public/faq" -H "x-api-key: $SEMANA_KEY" -H "if-none-match: $etag"
#endregion
rm faq.json

#region lead
call POST /public/leads -d '{
  "kind": "partner",
  "name": "Joana Prado",
  "email": "joana@example.com",
  "message": "Quero vender com a Semana."
}' | jq -r .id
#endregion
