import { handleTasks } from '#platform/thread-pool.ts';
import { renderMarkdown } from './render-markdown.ts';

handleTasks(renderMarkdown);
