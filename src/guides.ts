import type { Guide } from '#platform/docs/guides.ts';

/** The pages for developers of partners at /docs, in the order of the menu. Their texts are docs/guides/en/NAME.md and docs/guides/pt/NAME.md. */
export const GUIDES: readonly Guide[] = [
  { name: 'start', title: { en: 'Start here', pt: 'Comece aqui' } },
  { name: 'website', title: { en: 'Quickstart: website', pt: 'Primeiros passos: site' } },
  { name: 'wallet', title: { en: 'Quickstart: wallet app', pt: 'Primeiros passos: app de carteira' } },
  { name: 'shop', title: { en: 'Quickstart: shop', pt: 'Primeiros passos: loja' } },
  { name: 'webhooks', title: { en: 'Webhooks and events', pt: 'Webhooks e eventos' } },
  { name: 'retries', title: { en: 'Idempotency and retries', pt: 'Idempotência e novas tentativas' } },
  { name: 'testing', title: { en: 'Testing', pt: 'Testes' } },
  { name: 'money-and-dates', title: { en: 'Money and dates', pt: 'Dinheiro e datas' } },
  { name: 'errors', title: { en: 'Errors', pt: 'Erros' } },
  { name: 'changelog', title: { en: 'Changelog', pt: 'Mudanças' } },
];
