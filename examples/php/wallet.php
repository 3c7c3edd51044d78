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

#region login
$login = call('POST', '/wallet/auth/login', ['phone' => '+5511987650001', 'password' => 'semana-demo-1']);
$customerHeaders = ['x-token' => $login['token']];
#endregion

#region purchases
$isUnpaid = fn (array $item) => $item['status'] !== 'paid';
[$purchase] = array_values(array_filter(call('GET', '/wallet/checkouts', null, $customerHeaders)['data'], $isUnpaid));
$purchase = call('GET', "/wallet/checkouts/$purchase[hash]", null, $customerHeaders);
[$installment] = array_values(array_filter($purchase['installments'], $isUnpaid));
echo "$installment[status], due on $installment[due_on]: $installment[total_due]\n";
#endregion

#region pix
$body = ['type' => 'settle_with_penalty'];
$pix = call('POST', "/wallet/installments/$installment[id]/pix", $body, $customerHeaders);
echo $pix['br_code'], "\n";
#endregion

#region pay
call('POST', "/sandbox/pix/$pix[txid]/pay", []);
#endregion

#region wait
while ($pix['status'] !== 'paid') {
    sleep(1);
    $pix = call('GET', "/wallet/pix/$pix[id]", null, $customerHeaders);
}
echo $pix['status'], "\n";
#endregion
