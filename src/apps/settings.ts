import {
  officeBaseUrl,
  officePort,
  parseSecretKey,
  partnerHost,
  partnerPort,
  staffPort,
  webBaseUrl,
  webPort,
} from '#platform/config.ts';
import { defineSettings, internalUrl, proxies, type SettingsOf, text, webUrl } from '#platform/settings.ts';

// The keys of the sandbox are published. These two are marked as a backend, because the pages send the consumer's IP address in
// x-client-ip.
export const SANDBOX_WEB_KEY = 'sandbox-web-key';
export const SANDBOX_TILL_KEY = 'sandbox-till-key';
const LIVE_MODE_REASON = 'the pages need it in live mode';

const createLocalUrlDefault = (port: typeof partnerPort | typeof staffPort) => ({
  label: `http://localhost:${port.name}`,
  derive: (read: (setting: typeof port) => number) => `http://localhost:${read(port)}`,
});

export const webSettings = defineSettings(
  {
    port: webPort,
    host: {
      name: 'WEB_HOST',
      description: { en: 'address the pages listen on', pt: 'endereço em que as páginas são servidas' },
      default: { label: 'HOST', derive: (read) => read(partnerHost) },
      parse: text,
    },
    /** The public URL, with which canonical links start. If it is null, they start with the URL that the server listens on. */
    url: webBaseUrl,
    apiUrl: {
      name: 'API_URL',
      description: {
        en: 'partner API that the pages call; required by `semana web` in live',
        pt: 'endereço da API de parceiros que as páginas chamam; obrigatório para `semana web` em produção',
      },
      default: createLocalUrlDefault(partnerPort),
      requiredInLive: LIVE_MODE_REASON,
      parse: internalUrl,
    },
    key: {
      name: 'WEB_KEY',
      description: {
        en: 'API key of the pages, scopes public and wallet, marked as a backend; required by `semana web` in live',
        pt: 'chave de API das páginas, alcance public e wallet, marcada como servidor de parceiro; obrigatória para `semana web` em produção',
      },
      default: { sandbox: SANDBOX_WEB_KEY },
      requiredInLive: LIVE_MODE_REASON,
      secret: true,
      parse: text,
    },
    tillKey: {
      name: 'WEB_TILL_KEY',
      description: {
        en: 'API key of the till, scope till, marked as a backend; without it in live mode: no till',
        pt: 'chave de API do balcão, alcance till, marcada como servidor de parceiro; sem ela, em produção: sem balcão',
      },
      default: { sandbox: SANDBOX_TILL_KEY },
      secret: true,
      parse: text,
    },
    secret: {
      name: 'WEB_SECRET',
      description: {
        en: 'base64 of 32 bytes that encrypt cookies; required by `semana web` in live',
        pt: 'base64 de 32 bytes que selam os cookies; obrigatório para `semana web` em produção',
      },
      default: { sandbox: btoa('semana-sandbox-semana-sandbox-se') },
      requiredInLive: LIVE_MODE_REASON,
      secret: true,
      parse: parseSecretKey,
    },
    trustProxy: {
      name: 'WEB_TRUST_PROXY',
      description: {
        en: 'addresses of proxies in front of the pages whose X-Forwarded-For is trusted',
        pt: 'endereços dos proxies à frente das páginas cujo X-Forwarded-For é aceito',
      },
      defaultLabel: { en: '(none)', pt: '(nenhum)' },
      parse: proxies,
    },
    staffUrl: {
      name: 'WEB_STAFF_URL',
      description: {
        en: 'staff API for the yellow bar that shows codes, pays and moves the clock; `off` hides the bar; sandbox only',
        pt: 'endereço da API da equipe para a barra amarela, que mostra códigos, paga e move o relógio; `off` esconde a barra; só no sandbox',
      },
      default: createLocalUrlDefault(staffPort),
      parse: (value) => (value === 'off' ? null : internalUrl(value)),
    },
    staffKey: {
      name: 'WEB_STAFF_KEY',
      description: {
        en: 'operator key for the yellow bar; sandbox only',
        pt: 'chave da operadora para a barra amarela; só no sandbox',
      },
      default: { sandbox: 'sandbox-operator-key' },
      secret: true,
      parse: text,
    },
    merchantKey: {
      name: 'WEB_MERCHANT_KEY',
      description: {
        en: 'merchant key with which the yellow bar creates an offer; sandbox only',
        pt: 'chave de loja com que a barra amarela faz uma oferta; só no sandbox',
      },
      default: { sandbox: 'sandbox-merchant-key' },
      secret: true,
      parse: text,
    },
  },
  ({ staffUrl, staffKey, merchantKey, trustProxy, tillKey, ...pages }, { mode, isSet }) => ({
    ...pages,
    /** Null if there is no till: in live mode the default, a published key, must not be used. */
    tillKey: mode === 'live' && !isSet('tillKey') ? null : tillKey,
    trustProxy: trustProxy ?? (false as const),
    /** URL and keys for the sandbox bar. Null if the pages have no bar, as always in live mode. */
    sandbox: mode === 'sandbox' && staffUrl !== null ? { staffUrl, staffKey, merchantKey } : null,
  }),
);

export type WebSettings = SettingsOf<typeof webSettings>;

const OFFICE_LIVE_MODE_REASON = 'the back office needs it in live mode';

export const officeSettings = defineSettings(
  {
    port: officePort,
    host: {
      name: 'OFFICE_HOST',
      description: {
        en: 'address the back office listens on; do not expose it to the internet',
        pt: 'endereço em que a retaguarda é servida; mantenha fora da internet',
      },
      default: '127.0.0.1',
      parse: text,
    },
    url: officeBaseUrl,
    staffUrl: {
      name: 'OFFICE_STAFF_URL',
      description: {
        en: 'staff API that the back office calls; required by `semana office` in live',
        pt: 'endereço da API da equipe que a retaguarda chama; obrigatório para `semana office` em produção',
      },
      default: createLocalUrlDefault(staffPort),
      requiredInLive: OFFICE_LIVE_MODE_REASON,
      parse: internalUrl,
    },
    publicSiteUrl: {
      name: 'OFFICE_SITE_URL',
      description: {
        en: 'address of the site that the back office links to; without it in live mode: no links',
        pt: 'endereço do site a que a retaguarda leva; sem ele, em produção: sem links',
      },
      default: {
        label: 'WEB_URL',
        derive: (read) => read(webBaseUrl) ?? `http://localhost:${read(webPort) || webPort.default}`,
      },
      parse: webUrl,
    },
    secret: {
      name: 'OFFICE_SECRET',
      description: {
        en: 'base64 of 32 bytes that encrypt cookies of the back office; required by `semana office` in live',
        pt: 'base64 de 32 bytes que selam os cookies da retaguarda; obrigatório para `semana office` em produção',
      },
      default: { sandbox: btoa('semana-sandbox-semana-escritorio') },
      requiredInLive: OFFICE_LIVE_MODE_REASON,
      secret: true,
      parse: parseSecretKey,
    },
    trustProxy: {
      name: 'OFFICE_TRUST_PROXY',
      description: {
        en: 'addresses of proxies in front of the back office whose X-Forwarded-For is trusted',
        pt: 'endereços dos proxies à frente da retaguarda cujo X-Forwarded-For é aceito',
      },
      defaultLabel: { en: '(none)', pt: '(nenhum)' },
      parse: proxies,
    },
  },
  ({ trustProxy, publicSiteUrl, ...office }, { mode }) => ({
    ...office,
    // In live mode OFFICE_SITE_URL and WEB_URL must be https, so an http URL means that neither is set.
    publicSiteUrl: mode === 'live' && publicSiteUrl.startsWith('http:') ? null : publicSiteUrl,
    trustProxy: trustProxy ?? (false as const),
    /** In the sandbox one click signs in as any role. */
    isSandbox: mode === 'sandbox',
  }),
);

export type OfficeSettings = SettingsOf<typeof officeSettings>;
