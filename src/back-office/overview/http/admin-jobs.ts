import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { failingJobList, retryJob } from '#platform/jobs/job-overview.ts';
import { auditContextFor, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Overview } from '../overview.ts';
import { FailingJob, JobParams } from '../schemas.ts';

export const getAdminJobs = (overview: Overview) =>
  listEndpoint('GET /admin/jobs', overview, failingJobList, {
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

export const postAdminJobsIdRetry = ({ db, clock }: Overview) =>
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
      const auditContext = auditContextFor(request, clock.now());
      const exists = await db.transaction(async (tx) => {
        await recordAuditEntry(tx, auditContext, { kind: 'job', id }, { retried: true });
        return retryJob(tx, id);
      });
      if (!exists) throw request.notFound();
    },
  });
