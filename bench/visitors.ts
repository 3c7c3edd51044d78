import { writeFile } from 'node:fs/promises';
import { importJWK, type JWK, SignJWT } from 'jose';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { withClient } from './stage.ts';

export type Visitor = { customerId: string; token: string };

/** Tokens for these customers, signed by the service's own key. */
export async function letIn(databaseUrl: string, customerIds: string[]): Promise<Visitor[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows: keys } = await client.query(
      'select kid, private_sealed, private_key_version from signing_keys order by signs_from desc limit 1',
    );
    const { rows: partners } = await client.query(`select id from partners where name = 'Demo partner'`);
    const { kid, private_sealed: bytes, private_key_version: version } = keys[0];
    const jwk = JSON.parse(new Vault(SANDBOX_SECRETS).open({ bytes, version }, kid)) as JWK;
    const key = await importJWK(jwk, 'EdDSA');
    const sign = (customerId: string) =>
      new SignJWT({ sid: `bench ${customerId}`, kind: 'customer' })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
        .setIssuer('bench')
        .setAudience(partners[0].id)
        .setSubject(customerId)
        .setIssuedAt()
        .setExpirationTime('2h')
        .sign(key);
    return Promise.all(
      customerIds.map(async (customerId) => ({ customerId, token: await sign(customerId) })),
    );
  });
}

/** A script for wrk: another customer with every request. The bare route reads x-customer, the service x-token. */
export async function writeScript(
  path: string,
  visits: Array<{ visitor: Visitor; address: string }>,
): Promise<string> {
  const lines = visits.map(
    ({ visitor: { customerId, token }, address }) =>
      `  {"${address}", {["x-api-key"]="sandbox-demo-key", ["x-token"]="${token}", ["x-customer"]="${customerId}"}},`,
  );
  await writeFile(
    path,
    `local visits = {\n${lines.join('\n')}\n}\nlocal i = 0\nrequest = function()\n  i = i % #visits + 1\n` +
      `  return wrk.format("GET", visits[i][1], visits[i][2])\nend\n`,
  );
  return path;
}
