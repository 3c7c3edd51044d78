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

#region search
// A search tolerates one wrong or missing letter: 'padria' finds 'Padaria'.
foreach (call('GET', '/public/merchants?q=padria&limit=3')['data'] as $merchant) {
    echo $merchant['name'], "\n";
}
#endregion

#region quote
$quote = call('GET', '/public/merchants/padaria-flor-do-trigo/quote?amount=240&installments=4');
$cet = $quote['terms']['cet_percent_month'];
echo count($quote['installments']), ' x ', $quote['installments'][0]['amount'], ", CET $cet % a month\n";
#endregion

#region revalidate
$createContext = fn (string ...$headers) => stream_context_create(['http' => ['header' => $headers, 'ignore_errors' => true]]);
file_get_contents("$url/public/faq", context: $createContext("x-api-key: $key"));
[$etagLine] = array_values(preg_grep('/^etag:/i', $http_response_header));
$etag = trim(substr($etagLine, strlen('etag:')));
file_get_contents("$url/public/faq", context: $createContext("x-api-key: $key", "if-none-match: $etag"));
[, $status] = explode(' ', $http_response_header[0]);
echo $status, "\n";
#endregion

#region lead
$lead = call('POST', '/public/leads', [
    'kind' => 'partner',
    'name' => 'Joana Prado',
    'email' => 'joana@example.com',
    'message' => 'Quero vender com a Semana.',
]);
echo $lead['id'], "\n";
#endregion
