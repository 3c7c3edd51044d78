import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { negotiateLanguage } from '#platform/http/problem-body.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { failingJobList, listNodes, retryJob } from '#platform/jobs/job-overview.ts';
import { createAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { OverviewDeps } from '../overview.ts';
import {
  FailingJob,
  JobParams,
  SearchQuery,
  SearchResult,
  ServiceNode,
  SettingInForce,
  Today,
} from '../schemas.ts';

export const getAdminNodes = ({ db }: OverviewDeps) =>
  endpoint('GET /admin/nodes', {
    access: { scope: 'operator', role: 'admin' },
    id: 'listNodes',
    summary: 'List nodes',
    description: 'Nodes that are connected to the database. A lost node disappears within 30 seconds.',
    responses: { 200: { description: 'The nodes, oldest first.', schema: ListOf(ServiceNode) } },
    async handler() {
      const rows = await listNodes(db);
      return { data: rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })) };
    },
  });

export const getAdminSearch = ({ search }: OverviewDeps) =>
  endpoint('GET /admin/search', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'searchEverything',
    summary: 'Search everything',
    description:
      'Finds customers, purchases, payments, merchants and posts. Returns a few hits of each kind; the lists of each kind have more.',
    query: SearchQuery,
    cli: { command: 'search' },
    responses: { 200: { description: 'The hits, grouped by kind.', schema: SearchResult } },
    handler: async (request) => ({ data: await search(request.query.q.trim(), request.caller) }),
  });

export const getAdminSettings = ({ listEffectiveSettings }: OverviewDeps) =>
  endpoint('GET /admin/settings', {
    access: { scope: 'operator', role: 'admin' },
    id: 'listSettings',
    summary: 'List effective settings',
    description:
      'The settings of this node, which come from environment variables. Secrets and passwords in URLs are hidden. ' +
      'Texts are in Portuguese if `Accept-Language` prefers it, else in English.',
    responses: { 200: { description: 'All settings.', schema: ListOf(SettingInForce) } },
    async handler(request) {
      const language = negotiateLanguage(request.headers['accept-language']);
      const data = listEffectiveSettings().map(({ description, value, ...setting }) => ({
        ...setting,
        meaning: description[language],
        value: value?.[language] ?? null,
      }));
      return { data };
    },
  });

export const getAdminToday = ({ getToday }: OverviewDeps) =>
  endpoint('GET /admin/today', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'showToday',
    summary: 'Get the overview of today',
    responses: {
      200: { description: 'Pending work, and the weekly and aging reports of today.', schema: Today },
    },
    handler: () => getToday(),
  });

export const getAdminJobs = (deps: OverviewDeps) =>
  listEndpoint('GET /admin/jobs', deps, failingJobList, {
    role: 'admin',
    id: 'listFailingJobs',
    summary: 'List failing jobs',
    description:
      'Background jobs whose last attempt failed, or was interrupted with no attempt left. Most failed jobs succeed when they are ' +
      'retried automatically.',
    page: 'A page of jobs.',
    item: FailingJob,
    render: (rows) =>
      rows.map(({ run_at, created_at, ...row }) => ({
        ...row,
        run_at: run_at.toISOString(),
        created_at: created_at.toISOString(),
      })),
  });

export const postAdminJobsIdRetry = ({ db, clock }: OverviewDeps) =>
  endpoint('POST /admin/jobs/:id/retry', {
    access: { scope: 'operator', role: 'admin' },
    id: 'retryJob',
    summary: 'Retry a failing job',
    description: 'Runs the job soon, with all its attempts again, even if it had no attempts left.',
    params: JobParams,
    notFound: {
      en: 'The job no longer exists, or it is running now.',
      pt: 'Esta tarefa não existe mais, ou está rodando agora.',
    },
    responses: { 204: { description: 'The job will run soon.' } },
    async handler(request) {
      const { id } = request.params;
      const auditContext = createAuditContext(request, clock.now());
      await db.transaction(async (tx) => {
        if (!(await retryJob(tx, id))) throw request.notFound();
        await recordAuditEntry(tx, auditContext, { kind: 'job', id }, { retried: true });
      });
    },
  });
