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

#region send
$phone = '+5511987650002';
$challengeId = call('POST', '/wallet/auth/otp', ['phone' => $phone])['challenge_id'];
#endregion

#region read
$messages = call('GET', '/sandbox/messages?phone=' . urlencode($phone) . '&limit=1');
$code = $messages['data'][0]['code'];
#endregion

#region login
$login = call('POST', '/wallet/auth/otp/login', ['phone' => $phone, 'challenge_id' => $challengeId, 'code' => $code]);
echo call('GET', '/wallet/me', null, ['x-token' => $login['token']])['name'], "\n";
#endregion

#region refresh
$headers = ['idempotency-key' => bin2hex(random_bytes(16))];
$login = call('POST', '/wallet/auth/refresh', ['refresh_token' => $login['refresh_token']], $headers);
echo $login['expires_in'], "\n";
#endregion
