import { Type } from 'typebox';
import { endpoint } from '#platform/http/endpoint.ts';
import { answerList, listAnswer, listParameters } from '#platform/http/listing.ts';
import { listedFailingJobs } from '#platform/jobs/job-overview.ts';
import type { Overview } from '../overview.ts';
import { FailingJob } from '../schemas.ts';

export const getAdminJobs = ({ db }: Overview) =>
  endpoint('GET /admin/jobs', {
    access: { scope: 'operator', role: 'admin' },
    id: 'listFailingJobs',
    summary: 'List background jobs whose last attempt failed',
    description: 'Most succeed when they are tried again by themselves.',
    query: Type.Object(listParameters()),
    answers: listAnswer('A page of jobs.', FailingJob),
    handler: (request, reply) =>
      answerList(db, { request, reply }, listedFailingJobs, {
        item: FailingJob,
        render: (rows) =>
          rows.map(({ run_at, created_at, ...row }) => ({
            ...row,
            run_at: run_at.toISOString(),
            created_at: created_at.toISOString(),
          })),
      }),
  });
