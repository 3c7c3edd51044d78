import { answerTasks } from '../threads.ts';
import { drawPaper } from './draw-paper.ts';

answerTasks(drawPaper);
