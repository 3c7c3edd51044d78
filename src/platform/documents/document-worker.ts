import { handleTasks } from '../thread-pool.ts';
import { drawDocument } from './draw-document.ts';

handleTasks(drawDocument);
