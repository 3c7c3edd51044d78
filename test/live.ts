import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

const createKey = () => randomBytes(32).toString('base64');

/** Creates all settings of a live installation except DATABASE_URL, with a new certificate in `directory`. Returns undefined without openssl. */
export function createLiveSettings(directory: string): Record<string, string> | undefined {
  const certificate = createCertificate(directory);
  return certificate && { ...createLiveSettingsWithoutCertificate(), ...certificate };
}

/** Returns the live settings without a certificate. Nothing listens at these addresses. */
export function createLiveSettingsWithoutCertificate() {
  return {
    SEMANA_MODE: 'live',
    PUBLIC_URL: 'https://api.semana.example',
    DATA_KEYS: `1:${createKey()}`,
    LOOKUP_KEY: createKey(),
    SMS_SENDER: 'twilio',
    TWILIO_URL: 'https://127.0.0.1:9',
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_FROM: '+15005550006',
    PSP_URL: 'https://127.0.0.1:9/v2',
    PSP_TOKEN_URL: 'https://127.0.0.1:9/oauth/token',
    PSP_CLIENT_ID: 'id',
    PSP_CLIENT_SECRET: 'secret',
    REFERRAL_LINK: 'https://semana.example/convite/{code}',
    PAY_LINK: 'https://semana.example/pagar/{token}',
    OFFER_LINK: 'https://semana.example/carteira/ofertas/{id}',
    WALLET_LINK: 'https://semana.example/carteira/{page}',
    CREDITOR_NAME: 'Semana Crédito Ltda.',
    CREDITOR_CNPJ: '11.222.333/0001-81',
    CREDITOR_ADDRESS: 'Rua da Aurora, 100, Recife, PE, 50050-000',
    CREDITOR_EMAIL: 'contato@semana.example',
    PSP_CALLBACK_SECRET: randomBytes(24).toString('hex'),
    PIX_KEY: 'pix@semana.example',
    PIX_RECEIVER_NAME: 'Semana',
    PIX_RECEIVER_CITY: 'Recife',
    FOUR_EYES_AMOUNT: 'off',
  };
}

/** Creates a certificate for the connection to the PSP. Returns undefined without openssl. */
export function createCertificate(directory: string): { PSP_CERT: string; PSP_KEY: string } | undefined {
  const files = { PSP_CERT: join(directory, 'psp.pem'), PSP_KEY: join(directory, 'psp.key') };
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  try {
    execFileSync('openssl', [...args, '-keyout', files.PSP_KEY, '-out', files.PSP_CERT, ...subject], {
      stdio: 'ignore',
    });
    return files;
  } catch {
    return undefined;
  }
}
