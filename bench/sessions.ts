import { writeFile } from 'node:fs/promises';
import { importJWK, type JWK, SignJWT } from 'jose';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { withClient } from './environment.ts';

export type CustomerSession = { customerId: string; token: string };

/** Issues access tokens for these customers, signed with the service's key. */
export async function issueAccessTokens(
  databaseUrl: string,
  customerIds: string[],
): Promise<CustomerSession[]> {
  return withClient(databaseUrl, async (client) => {
    const {
      rows: [signingKey],
    } = await client.query(
      'select kid, private_sealed, private_key_version from signing_keys order by signs_from desc limit 1',
    );
    const {
      rows: [partner],
    } = await client.query(`select id from partners where name = 'Demo partner'`);
    const { kid, private_sealed: bytes, private_key_version: version } = signingKey;
    const jwk = JSON.parse(new Vault(SANDBOX_SECRETS).decrypt({ bytes, version }, kid)) as JWK;
    const key = await importJWK(jwk, 'EdDSA');
    const sign = (customerId: string) =>
      new SignJWT({ sid: `bench ${customerId}`, kind: 'customer' })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
        .setIssuer('bench')
        .setAudience(partner.id)
        .setSubject(customerId)
        .setIssuedAt()
        .setExpirationTime('2h')
        .sign(key);
    return Promise.all(
      customerIds.map(async (customerId) => ({ customerId, token: await sign(customerId) })),
    );
  });
}

/**
 * Writes a wrk script that sends the requests one after the other, each as its customer. The service reads the header x-token; the baselines of
 * bare-fastify.ts read x-customer.
 */
export async function writeWrkScript(
  file: string,
  requests: Array<{ session: CustomerSession; path: string }>,
): Promise<string> {
  const lines = requests.map(
    ({ session: { customerId, token }, path }) =>
      `  {"${path}", {["x-api-key"]="sandbox-demo-key", ["x-token"]="${token}", ["x-customer"]="${customerId}"}},`,
  );
  await writeFile(
    file,
    `local requests = {\n${lines.join('\n')}\n}\nlocal i = 0\nrequest = function()\n  i = i % #requests + 1\n` +
      `  return wrk.format("GET", requests[i][1], requests[i][2])\nend\n`,
  );
  return file;
}
