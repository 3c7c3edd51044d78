import { answerTasks } from '#platform/threads.ts';
import { postHtml } from './post-html.ts';

answerTasks(postHtml);
