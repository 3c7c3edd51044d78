import { ACCOUNT_FORMS, accountPage } from './account.tsx';
import type { Act } from './act.tsx';
import { actForm, actPage } from './act-page.tsx';
import * as admin from './admin.tsx';
import * as catalog from './catalog.tsx';
import * as content from './content.tsx';
import { customerPage } from './customer.tsx';
import * as customerActs from './customer-acts.tsx';
import * as decision from './decision.tsx';
import { ENTER_FORMS } from './enter.tsx';
import * as keysAndPartners from './keys.tsx';
import type { Listed } from './list.tsx';
import { approvals } from './lists/approvals.tsx';
import { autopay } from './lists/autopay.tsx';
import { cashback } from './lists/cashback.tsx';
import { categories } from './lists/categories.tsx';
import { charges } from './lists/charges.tsx';
import { customers } from './lists/customers.tsx';
import { debits } from './lists/debits.tsx';
import { decisions } from './lists/decisions.tsx';
import { discrepancies } from './lists/discrepancies.tsx';
import { faq } from './lists/faq.tsx';
import { jobs } from './lists/jobs.tsx';
import { keys } from './lists/keys.tsx';
import { leads } from './lists/leads.tsx';
import { media } from './lists/media.tsx';
import { merchants } from './lists/merchants.tsx';
import { messages } from './lists/messages.tsx';
import { offers } from './lists/offers.tsx';
import { orphans } from './lists/orphans.tsx';
import { partners } from './lists/partners.tsx';
import { payments } from './lists/payments.tsx';
import { payouts } from './lists/payouts.tsx';
import { people } from './lists/people.tsx';
import { posts } from './lists/posts.tsx';
import { purchases } from './lists/purchases.tsx';
import { refunds } from './lists/refunds.tsx';
import { returns } from './lists/returns.tsx';
import { trail } from './lists/trail.tsx';
import { webhooks } from './lists/webhooks.tsx';
import { merchantPage } from './merchant.tsx';
import * as merchantActs from './merchant-acts.tsx';
import * as moneyIn from './money-in.tsx';
import * as moneyOut from './money-out.tsx';
import * as offer from './offer.tsx';
import * as policy from './policy.tsx';
import { purchasePage } from './purchase.tsx';
import * as purchaseActs from './purchase-acts.tsx';
import { reportDownload, reportPage } from './report.tsx';
import { REPORTS, reportsPage } from './reports.tsx';
import { searchPage, suggestionsPage } from './search.tsx';
import { todayPage } from './today.tsx';
import * as uploads from './uploads.tsx';
import type { Download, MakeOfficePage, OfficeForm, OfficeVisit } from './visit.ts';
import * as webhook from './webhooks.tsx';

/** Every list screen. A new one is a file and a line here. */
export const LISTS: readonly Listed[] = [
  ...[customers, purchases, offers, returns, messages],
  ...[payments, charges, autopay, debits, orphans, refunds, discrepancies],
  ...[payouts, cashback, approvals],
  decisions,
  ...[merchants, categories, leads, posts, faq, media],
  ...[people, partners, keys, webhooks, trail, jobs],
];

const isAct = (one: unknown): one is Act => typeof one === 'object' && one !== null && 'run' in one;

/** Every act that one of these files exports. */
export const ACTS: readonly Act[] = [
  ...[customerActs, purchaseActs, offer, moneyIn, moneyOut, decision, policy, merchantActs],
  ...[content, catalog, uploads, admin, keysAndPartners, webhook],
].flatMap((file) => Object.values<unknown>(file).filter(isAct));

const RECORDS: Record<string, MakeOfficePage> = {
  '/': todayPage,
  '/busca': searchPage,
  '/busca/sugestoes': suggestionsPage,
  '/conta': accountPage,
  '/clientes/:id': customerPage,
  '/compras/:hash': purchasePage,
  '/ofertas/:id': offer.offerPage,
  '/pagamentos/:id': moneyIn.paymentPage,
  '/sem-dono/:id': moneyIn.orphanPage,
  '/repasses/:id': moneyOut.payoutPage,
  '/aprovacoes/:id': moneyOut.approvalPage,
  '/decisoes/:id': decision.decisionPage,
  '/politica': policy.policyPage,
  '/devolucoes/:id': content.returnPage,
  '/lojas/:slug': merchantPage,
  '/categorias/:slug': catalog.categoryPage,
  '/contatos/:id': content.leadPage,
  '/posts/:slug': content.postPage,
  // Where posts lead to each other.
  '/blog/:slug': async ({ params }) => ({ to: `/posts/${params.slug}` }),
  '/perguntas/:id': catalog.faqPage,
  '/equipe/:id': admin.personPage,
  '/chaves/:id': keysAndPartners.keyPage,
  '/webhooks/:id': webhook.webhookPage,
  '/ajustes': admin.settingsPage,
  '/servidores': admin.nodesPage,
  '/relatorios': reportsPage,
};

/** For who is signed in. */
export const PAGES: Readonly<Record<string, MakeOfficePage>> = {
  ...RECORDS,
  ...Object.assign({}, ...LISTS.map(({ pages }) => pages)),
  ...Object.fromEntries(ACTS.map((act) => [act.path, actPage(act)])),
  ...Object.fromEntries(REPORTS.map((report) => [report.path, reportPage(report)])),
};

export const FORMS: Readonly<Record<string, OfficeForm>> = {
  ...ENTER_FORMS,
  ...ACCOUNT_FORMS,
  ...Object.assign({}, ...LISTS.map(({ forms }) => forms)),
  ...Object.fromEntries(ACTS.map((act) => [act.path, actForm(act)])),
};

/** All that is held on a customer, for an access request. */
const exportOf = ({ api, params }: OfficeVisit) => api.open('exportCustomer', { path: { id: params.id! } });

const contractOf = ({ api, params }: OfficeVisit) =>
  api.open('getContractOfAnybody', { path: { hash: params.hash! } });

/** What is downloaded: CSV of exactly what a page shows, what is held on a customer, contracts, and pictures. */
export const DOWNLOADS: Readonly<Record<string, Download>> = Object.fromEntries([
  ...LISTS.map(({ path, download }) => [`${path}.csv`, download] as const),
  ...REPORTS.map((report) => [`${report.path}.csv`, reportDownload(report)] as const),
  ['/media/files/:name', ({ api, params }) => api.open('getMediaOfStaff', { path: { name: params.name! } })],
  ['/clientes/:id/dados.json', exportOf] as const,
  ['/compras/:hash/contrato.pdf', contractOf] as const,
]);
