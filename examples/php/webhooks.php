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

#region register
$hook = call('POST', '/webhooks', [
    'url' => getenv('HOOK_URL') ?: 'http://localhost:4000/hook',
    'events' => ['lead.received', 'pix.paid'],
]);
echo $hook['secret'], "\n";
#endregion

#region test
$outcome = call('POST', "/webhooks/$hook[id]/test");
echo $outcome['status'], ' ', json_encode($outcome['attempts']), "\n";
#endregion

#region event
$name = 'Joana ' . bin2hex(random_bytes(8));
call('POST', '/public/leads', ['kind' => 'partner', 'name' => $name, 'email' => 'joana@example.com']);
#endregion

#region deliveries
$leadDeliveries = [];
while (!$leadDeliveries) {
    sleep(1);
    $deliveries = call('GET', "/webhooks/$hook[id]/deliveries")['data'];
    $leadDeliveries = array_values(array_filter($deliveries, fn ($item) => $item['type'] === 'lead.received'));
}
$delivery = call('GET', "/webhooks/$hook[id]/deliveries/{$leadDeliveries[0]['id']}");
echo $delivery['status'], ' ', json_encode($delivery['response']), "\n";
#endregion

#region resend
echo call('POST', "/webhooks/$hook[id]/deliveries/$delivery[id]/resend")['status'], "\n";
#endregion

#region delete
call('DELETE', "/webhooks/$hook[id]");
#endregion
