import type { Action } from './action.tsx';
import { createActionForm, createActionPage } from './action-page.tsx';
import * as admin from './admin.tsx';
import * as approval from './approval.tsx';
import { auditTrail } from './audit-trail.tsx';
import * as content from './content.tsx';
import { customerPage } from './customer.tsx';
import * as customerActions from './customer-actions.tsx';
import * as decision from './decision.tsx';
import type { ListRoutes } from './list.tsx';
import * as administrationLists from './lists/administration.tsx';
import * as contentLists from './lists/content.tsx';
import * as customerLists from './lists/customers.tsx';
import * as moneyLists from './lists/money.tsx';
import * as merchant from './merchant.tsx';
import * as moneyIn from './money-in.tsx';
import * as moneyOut from './money-out.tsx';
import * as offer from './offer.tsx';
import * as partners from './partners.tsx';
import * as policy from './policy.tsx';
import * as purchase from './purchase.tsx';
import { createReportDownload, createReportPage, REPORTS, reportsPage } from './reports.tsx';
import { searchPage, suggestionsPage } from './search.tsx';
import { SIGN_IN_FORMS } from './sign-in.tsx';
import { todayPage } from './today.tsx';
import * as uploads from './uploads.tsx';
import type { Download, OfficeFormHandler, OfficePageHandler, OfficeVisit } from './visit.ts';

/** All list screens: every export of the modules in lists/, and the audit trail. */
export const LISTS: readonly ListRoutes[] = [
  ...[customerLists, moneyLists, contentLists, administrationLists].flatMap((exports) =>
    Object.values<ListRoutes>(exports),
  ),
  auditTrail,
];

/** Modules that export actions. Most of them export pages, too. */
const MODULES_WITH_ACTIONS = [
  admin,
  approval,
  content,
  customerActions,
  decision,
  merchant,
  moneyIn,
  moneyOut,
  offer,
  partners,
  policy,
  purchase,
  uploads,
];

const isAction = (value: unknown): value is Action =>
  typeof value === 'object' && value !== null && 'run' in value;

export const ACTIONS: readonly Action[] = MODULES_WITH_ACTIONS.flatMap((exports) =>
  Object.values<unknown>(exports).filter(isAction),
);

const SINGLE_PAGES: Record<string, OfficePageHandler> = {
  '/': todayPage,
  '/busca': searchPage,
  '/busca/sugestoes': suggestionsPage,
  '/conta': admin.accountPage,
  '/clientes/:id': customerPage,
  '/compras/:hash': purchase.purchasePage,
  '/ofertas/:id': offer.offerPage,
  '/pagamentos/:id': moneyIn.paymentPage,
  '/sem-dono/:id': moneyIn.orphanPage,
  '/repasses/:id': moneyOut.payoutPage,
  '/aprovacoes/:id': approval.approvalPage,
  '/decisoes/:id': decision.decisionPage,
  '/politica': policy.policyPage,
  '/devolucoes/:id': moneyOut.returnPage,
  '/lojas/:slug': merchant.merchantPage,
  '/categorias/:slug': content.categoryPage,
  '/contatos/:id': content.leadPage,
  '/posts/:slug': content.postPage,
  // Posts link to each other by their URL on the site.
  '/blog/:slug': async ({ params }) => ({ redirectTo: `/posts/${params.slug}` }),
  '/perguntas/:id': content.faqPage,
  '/equipe/:id': admin.staffUserPage,
  '/chaves/:id': partners.keyPage,
  '/webhooks/:id': partners.webhookPage,
  '/ajustes': admin.settingsPage,
  '/servidores': admin.nodesPage,
  '/relatorios': reportsPage,
};

export const PAGES: Readonly<Record<string, OfficePageHandler>> = {
  ...SINGLE_PAGES,
  ...Object.assign({}, ...LISTS.map(({ pages }) => pages)),
  ...Object.fromEntries(ACTIONS.map((action) => [action.path, createActionPage(action)])),
  ...Object.fromEntries(REPORTS.map((report) => [report.path, createReportPage(report)])),
};

export const FORMS: Readonly<Record<string, OfficeFormHandler>> = {
  ...SIGN_IN_FORMS,
  ...admin.ACCOUNT_FORMS,
  ...Object.assign({}, ...LISTS.map(({ forms }) => forms)),
  ...Object.fromEntries(ACTIONS.map((action) => [action.path, createActionForm(action)])),
};

/** All data stored about a customer, for an access request. */
const openCustomerExport = ({ api, params }: OfficeVisit) =>
  api.open('exportCustomer', { path: { id: params.id! } });

const openContract =
  (accept: string) =>
  ({ api, params }: OfficeVisit) =>
    api.open('getContractOfAnybody', { path: { hash: params.hash! }, headers: { accept } });

/** Downloads: the CSV of each list and report, the data of a customer, contracts, and pictures. */
export const DOWNLOADS: Readonly<Record<string, Download>> = {
  ...Object.fromEntries(LISTS.map(({ path, download }) => [`${path}.csv`, download])),
  ...Object.fromEntries(REPORTS.map((report) => [`${report.path}.csv`, createReportDownload(report)])),
  '/media/files/:name': ({ api, params }) => api.open('getMediaOfStaff', { path: { name: params.name! } }),
  '/clientes/:id/dados.json': openCustomerExport,
  '/compras/:hash/contrato.pdf': openContract('application/pdf'),
  '/compras/:hash/contrato.json': openContract('application/json'),
};
