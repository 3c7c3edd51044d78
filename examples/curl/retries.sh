#!/bin/sh
set -eu
#region key
SEMANA_URL="${SEMANA_URL:-http://localhost:3000}"
SEMANA_MERCHANT_KEY="${SEMANA_MERCHANT_KEY:-sandbox-merchant-key}"
ORDER_ID="order-$(date +%s)-$$"

# curl repeats the request after a lost connection and after 429 and 503, and respects Retry-After.
create_offer() {
  curl -sS --retry 3 --retry-connrefused -D headers.txt "$SEMANA_URL/merchant/offers" \
    -H "x-api-key: $SEMANA_MERCHANT_KEY" -H 'content-type: application/json' \
    -H "idempotency-key: $ORDER_ID" -d '{"amount": 100, "installments": 2}'
}
#endregion

#region repeat
FIRST=$(create_offer | jq -r .id)
SECOND=$(create_offer | jq -r .id)
[ "$FIRST" = "$SECOND" ] && echo 'the same offer'
grep -i '^idempotency-replayed' headers.txt
#endregion
rm headers.txt
