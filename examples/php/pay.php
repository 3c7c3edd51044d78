<?php
// From a key to a paid Pix, and a webhook that is verified. PHP 8.1 or later on the command line, no packages.
// Set SEMANA_URL, SEMANA_KEY and SEMANA_MERCHANT_KEY to use another sandbox and other keys.

$url = getenv('SEMANA_URL') ?: 'http://localhost:3000';
$key = getenv('SEMANA_KEY') ?: 'sandbox-demo-key';
$merchantKey = getenv('SEMANA_MERCHANT_KEY') ?: 'sandbox-merchant-key';

function call(string $method, string $path, ?array $body = null, array $headers = []): ?array
{
    global $url, $key;
    $headers += ['x-api-key' => $key] + ($body === null ? [] : ['content-type' => 'application/json']);
    $http = [
        'method' => $method,
        'header' => array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers)),
        'content' => $body === null ? '' : json_encode((object) $body),
        'ignore_errors' => true,
    ];
    $json = file_get_contents($url . $path, context: stream_context_create(['http' => $http]));
    $responseBody = json_decode($json, associative: true);
    [, $status] = explode(' ', $http_response_header[0]); // HTTP/1.1 200 OK
    if ($status >= 400) {
        exit("$method $path: $responseBody[code]: $responseBody[detail]\n");
    }
    return $responseBody;
}

#region verify
/** Returns whether the delivery has a valid signature of the last five minutes. `$body` is the raw bytes, `$headers` has lower-case names. */
function verify(string $body, array $headers, string $secret): bool
{
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signedContent = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
    $expectedSignature = base64_encode(hash_hmac('sha256', $signedContent, $key, binary: true));
    $isRecent = abs(time() - (int) $headers['webhook-timestamp']) < 300;
    foreach (explode(' ', $headers['webhook-signature']) as $signature) {
        if ($isRecent && hash_equals($expectedSignature, substr($signature, strlen('v1,')))) {
            return true;
        }
    }
    return false;
}
#endregion

/** Reads a request from a connection. Returns its headers by lower-case name, and its raw body. A web server does this for you. */
function readRequest($connection): array
{
    $headers = [];
    while (($line = trim(fgets($connection))) !== '') {
        [$name, $value] = explode(': ', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = $value;
    }
    return [$headers, stream_get_contents($connection, (int) $headers['content-length'])];
}

$server = stream_socket_server('tcp://127.0.0.1:0');
$hookUrl = 'http://' . stream_socket_get_name($server, remote: false) . '/hook';
$hook = call('POST', '/webhooks', ['url' => $hookUrl, 'events' => ['pix.paid']]);

$login = call('POST', '/wallet/auth/login', ['phone' => '+5511987650003', 'password' => 'semana-demo-3']);
$customerHeaders = ['x-token' => $login['token']];
$order = ['amount' => 100, 'installments' => 2, 'metadata' => ['cart' => '7781']];
$offer = call('POST', '/merchant/offers', $order, ['x-api-key' => $merchantKey]);
call('POST', '/wallet/offers/claim', ['code' => $offer['code']], $customerHeaders);
$purchase = call('POST', "/wallet/offers/$offer[id]/accept", [], $customerHeaders);
[$installment] = $purchase['installments'];
$pix = call('POST', "/wallet/installments/$installment[id]/pix", ['type' => 'settle'], $customerHeaders);
call('POST', "/sandbox/pix/$pix[txid]/pay", []);

do {
    $connection = stream_socket_accept($server, 30) ?: exit("The webhook did not arrive.\n");
    [$headers, $body] = readRequest($connection);
    $isValid = verify($body, $headers, $hook['secret']);
    fwrite($connection, 'HTTP/1.1 ' . ($isValid ? '204 No Content' : '400 Bad Request') . "\r\nconnection: close\r\n\r\n");
    fclose($connection);
} while (!$isValid || json_decode($body, associative: true)['type'] !== 'pix.paid');
call('DELETE', "/webhooks/$hook[id]");
printf("Paid %.2f, and the webhook is verified.\n", $pix['value']);
