import { endpoint } from '#platform/http/endpoint.ts';
import { retryJob } from '#platform/jobs/job-overview.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import type { Overview } from '../overview.ts';
import { JobParams } from '../schemas.ts';

export const postAdminJobsIdRetry = ({ db, clock }: Overview) =>
  endpoint('POST /admin/jobs/:id/retry', {
    access: { scope: 'operator', role: 'admin' },
    id: 'retryJob',
    summary: 'Run a job now that failed',
    description: 'With all its attempts, also one that was given up.',
    params: JobParams,
    notFound: {
      en: 'There is no such job any more, or it is running now.',
      pt: 'Esta tarefa não existe mais, ou está rodando agora.',
    },
    answers: { 204: { description: 'It runs soon.' } },
    async handler(request) {
      const { id } = request.params;
      const change = changeBy(request, clock.now());
      const isThere = await db.transaction(async (tx) => {
        await recordCreation(tx, change, { kind: 'job', id }, { retried: true });
        return retryJob(tx, id);
      });
      if (!isThere) throw request.notFound();
    },
  });
