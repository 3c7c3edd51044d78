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

#region keys
export SEMANA_KEY="${SEMANA_MERCHANT_KEY:-sandbox-merchant-key}"
#endregion

#region quote
call POST /merchant/quotes -d '{"amount": 57.90, "installments": 3}' | jq -r '.installments[] | "\(.due_on) \(.amount)"'
#endregion

#region offer
ORDER_ID="order-$(date +%s)-$$"
OFFER=$(call POST /merchant/offers -H "idempotency-key: $ORDER_ID" -d '{
  "amount": 57.90,
  "installments": 3,
  "items": [
    {"name": "Bolo de fubá", "quantity": 1, "amount": 62.90},
    {"name": "Desconto", "quantity": 1, "amount": -5.00}
  ],
  "reference": "'"$ORDER_ID"'",
  "return_url": "http://localhost:3005/pedido",
  "metadata": {"cart": "7781"}
}')
echo "$OFFER" | jq -r .link
#endregion

#region accept
# The customer accepts the offer in a wallet, which has its own key.
SHOP_KEY=$SEMANA_KEY
SEMANA_KEY=${SEMANA_WALLET_KEY:-sandbox-demo-key}
CREDENTIALS='{"phone": "+5511987650003", "password": "semana-demo-3"}'
TOKEN=$(call POST /wallet/auth/login -d "$CREDENTIALS" | jq -r .token)
call POST /wallet/offers/claim -H "x-token: $TOKEN" -d "$(echo "$OFFER" | jq '{code}')" > /dev/null
call POST "/wallet/offers/$(echo "$OFFER" | jq -r .id)/accept" -H "x-token: $TOKEN" -d '{}' > /dev/null
SEMANA_KEY=$SHOP_KEY
#endregion

#region read
OFFER=$(call GET "/merchant/offers/$(echo "$OFFER" | jq -r .id)")
echo "$OFFER" | jq -r '"\(.status), cart \(.metadata.cart)"'
#endregion

#region return
SALE="/merchant/checkouts/$(echo "$OFFER" | jq -r .checkout_hash)"
RETURN='{"reason": "O bolo chegou amassado"}'
call POST "$SALE/returns?dry_run=true" -d "$RETURN" | jq -c .merchant
call POST "$SALE/returns" -H "idempotency-key: return-$ORDER_ID" -d "$RETURN" | jq -c .checkout.amounts
#endregion
