<?php
#region key
$url = getenv('SEMANA_URL') ?: 'http://localhost:3000';
$key = getenv('SEMANA_MERCHANT_KEY') ?: 'sandbox-merchant-key';

/** Repeats a request after a lost connection and after 429 and 503. Returns the headers (by lower-case name) and the body of the response. */
function send(string $url, array $http, int $maxAttempts = 3): array
{
    for ($attempt = 1; ; $attempt++) {
        $http_response_header = [];
        $body = @file_get_contents($url, context: stream_context_create(['http' => $http + ['ignore_errors' => true]]));
        $headers = [];
        foreach (array_slice($http_response_header, 1) as $line) {
            [$name, $value] = explode(': ', $line, 2);
            $headers[strtolower($name)] = $value;
        }
        [, $status] = explode(' ', $http_response_header[0] ?? 'HTTP/1.1 0'); // 0: the connection was lost
        if (!in_array($status, ['0', '429', '503'], strict: true)) {
            return [$headers, json_decode($body, associative: true)];
        }
        if ($attempt === $maxAttempts) {
            throw new RuntimeException('Semana did not respond.');
        }
        sleep((int) ($headers['retry-after'] ?? 2 ** ($attempt - 1)));
    }
}

/** Creates at most one offer for an order, however often it is called. */
function createOffer(string $orderId): array
{
    global $url, $key;
    return send("$url/merchant/offers", [
        'method' => 'POST',
        'header' => ["x-api-key: $key", 'content-type: application/json', "idempotency-key: $orderId"],
        'content' => json_encode(['amount' => 100, 'installments' => 2]),
    ]);
}
#endregion

#region repeat
$orderId = bin2hex(random_bytes(16));
[, $firstOffer] = createOffer($orderId);
[$headers, $secondOffer] = createOffer($orderId);
echo $firstOffer['id'] === $secondOffer['id'] ? "the same offer\n" : '';
echo 'idempotency-replayed: ', $headers['idempotency-replayed'], "\n";
#endregion
