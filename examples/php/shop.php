<?php
#region setup
$url = getenv('SEMANA_URL') ?: 'http://localhost:3000';
$key = getenv('SEMANA_KEY') ?: 'sandbox-demo-key';

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
        throw new RuntimeException("$responseBody[code]: $responseBody[detail]");
    }
    return $responseBody;
}
#endregion

#region keys
$merchantHeaders = ['x-api-key' => getenv('SEMANA_MERCHANT_KEY') ?: 'sandbox-merchant-key'];
#endregion

#region quote
$quote = call('POST', '/merchant/quotes', ['amount' => 57.90, 'installments' => 3], $merchantHeaders);
foreach ($quote['installments'] as $installment) {
    echo "$installment[due_on] $installment[amount]\n";
}
#endregion

#region offer
$orderId = bin2hex(random_bytes(16));
$offer = call('POST', '/merchant/offers', [
    'amount' => 57.90,
    'installments' => 3,
    'items' => [
        ['name' => 'Bolo de fubá', 'quantity' => 1, 'amount' => 62.90],
        ['name' => 'Desconto', 'quantity' => 1, 'amount' => -5.00],
    ],
    'reference' => $orderId,
    'return_url' => 'http://localhost:3005/pedido',
    'metadata' => ['cart' => '7781'],
], $merchantHeaders + ['idempotency-key' => $orderId]);
echo $offer['link'], "\n";
#endregion

#region accept
$login = call('POST', '/wallet/auth/login', ['phone' => '+5511987650003', 'password' => 'semana-demo-3']);
$customerHeaders = ['x-token' => $login['token']];
call('POST', '/wallet/offers/claim', ['code' => $offer['code']], $customerHeaders);
call('POST', "/wallet/offers/$offer[id]/accept", [], $customerHeaders);
#endregion

#region read
$offer = call('GET', "/merchant/offers/$offer[id]", null, $merchantHeaders);
echo "$offer[status], cart {$offer['metadata']['cart']}\n";
#endregion

#region return
$returns = "/merchant/checkouts/$offer[checkout_hash]/returns";
$body = ['reason' => 'O bolo chegou amassado'];
echo json_encode(call('POST', "$returns?dry_run=true", $body, $merchantHeaders)['merchant']), "\n";
$saleReturn = call('POST', $returns, $body, $merchantHeaders + ['idempotency-key' => "return-$orderId"]);
echo json_encode($saleReturn['checkout']['amounts']), "\n";
#endregion
