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

#region register
HOOK_INPUT='{"url": "'"${HOOK_URL:-http://localhost:4000/hook}"'", "events": ["lead.received", "pix.paid"]}'
HOOK=$(call POST /webhooks -d "$HOOK_INPUT")
echo "$HOOK" | jq -r .secret
HOOK_PATH="/webhooks/$(echo "$HOOK" | jq -r .id)"
#endregion

#region test
call POST "$HOOK_PATH/test" | jq -c '{status, attempts}'
#endregion

#region event
call POST /public/leads -d '{"kind": "partner", "name": "Joana '$$'", "email": "joana@example.com"}' > /dev/null
#endregion

#region deliveries
DELIVERY=
until [ "$DELIVERY" ]; do
  sleep 1
  DELIVERY=$(call GET "$HOOK_PATH/deliveries" |
    jq -r 'first(.data[] | select(.type == "lead.received")).id')
done
call GET "$HOOK_PATH/deliveries/$DELIVERY" | jq '{status, response}'
#endregion

#region resend
call POST "$HOOK_PATH/deliveries/$DELIVERY/resend" | jq -r .status
#endregion

#region delete
call DELETE "$HOOK_PATH"
#endregion
