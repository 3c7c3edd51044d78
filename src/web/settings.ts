import { frontHost, frontPort, secretKey, staffPort, webAddress, webPort } from '#platform/config.ts';
import { defineSettings, innerUrl, proxies, type SettingsOf, text } from '#platform/settings.ts';

/** A published key of the sandbox, of a backend: the pages send the consumer's address in x-client-ip. */
export const SANDBOX_WEB_KEY = 'sandbox-web-key';
export const SANDBOX_TILL_KEY = 'sandbox-till-key';
const NEEDED = 'the pages need it in live mode';

export const webSettings = defineSettings(
  {
    port: webPort,
    host: {
      name: 'WEB_HOST',
      meaning: { en: 'address the pages are served on', pt: 'endereço em que as páginas são servidas' },
      default: { shown: 'HOST', from: (read) => read(frontHost) },
      read: text,
    },
    /** The address people type; canonical links begin with it. */
    url: webAddress,
    apiUrl: {
      name: 'API_URL',
      meaning: {
        en: 'front door that the pages call; required by `semana web` in live',
        pt: 'endereço da API de parceiros que as páginas chamam; obrigatório para `semana web` em produção',
      },
      default: {
        shown: 'http://localhost:PORT',
        from: (read) => `http://localhost:${read(frontPort)}`,
      },
      neededInLive: NEEDED,
      read: innerUrl,
    },
    key: {
      name: 'WEB_KEY',
      meaning: {
        en: 'API key of the pages, scopes public and wallet, marked as a backend; required by `semana web` in live',
        pt: 'chave de API das páginas, alcance public e wallet, marcada como servidor de parceiro; obrigatória para `semana web` em produção',
      },
      default: { sandbox: SANDBOX_WEB_KEY },
      neededInLive: NEEDED,
      secret: true,
      read: text,
    },
    tillKey: {
      name: 'WEB_TILL_KEY',
      meaning: {
        en: 'API key of the till, scope till, marked as a backend; without it in live mode: no till',
        pt: 'chave de API do balcão, alcance till, marcada como servidor de parceiro; sem ela, em produção: sem balcão',
      },
      default: { sandbox: SANDBOX_TILL_KEY },
      secret: true,
      read: text,
    },
    secret: {
      name: 'WEB_SECRET',
      meaning: {
        en: 'base64 of 32 bytes that seal cookies; required by `semana web` in live',
        pt: 'base64 de 32 bytes que selam os cookies; obrigatório para `semana web` em produção',
      },
      default: { sandbox: btoa('semana-sandbox-semana-sandbox-se') },
      neededInLive: NEEDED,
      secret: true,
      read: secretKey,
    },
    trustProxy: {
      name: 'WEB_TRUST_PROXY',
      meaning: {
        en: 'addresses of proxies before the pages whose X-Forwarded-For is believed',
        pt: 'endereços dos proxies à frente das páginas cujo X-Forwarded-For é aceito',
      },
      shown: { en: '(none)', pt: '(nenhum)' },
      read: proxies,
    },
    staffUrl: {
      name: 'WEB_STAFF_URL',
      meaning: {
        en: 'staff door for the bar that shows codes, pays and moves the clock, off: no bar; sandbox only',
        pt: 'endereço da API da equipe para a barra amarela, que mostra códigos, paga e move o relógio, off: sem barra; só no sandbox',
      },
      default: {
        shown: 'http://localhost:STAFF_PORT',
        from: (read) => `http://localhost:${read(staffPort)}`,
      },
      read: (given) => (given === 'off' ? null : innerUrl(given)),
    },
    staffKey: {
      name: 'WEB_STAFF_KEY',
      meaning: {
        en: 'operator key for that bar; sandbox only',
        pt: 'chave da operadora para a barra amarela; só no sandbox',
      },
      default: { sandbox: 'sandbox-operator-key' },
      secret: true,
      read: text,
    },
    merchantKey: {
      name: 'WEB_MERCHANT_KEY',
      meaning: {
        en: 'merchant key with which that bar makes an offer; sandbox only',
        pt: 'chave de loja com que a barra amarela faz uma oferta; só no sandbox',
      },
      default: { sandbox: 'sandbox-merchant-key' },
      secret: true,
      read: text,
    },
  },
  ({ staffUrl, staffKey, merchantKey, trustProxy, tillKey, ...pages }, { mode, isSet }) => ({
    ...pages,
    tillKey: mode === 'live' && !isSet('tillKey') ? null : tillKey,
    trustProxy: trustProxy ?? (false as const),
    /** Keys for the sandbox bar. Null: no bar, as always in live mode. */
    sandbox: mode === 'sandbox' && staffUrl !== null ? { staffUrl, staffKey, merchantKey } : null,
  }),
);

export type WebSettings = SettingsOf<typeof webSettings>;
