// Follows drives in a thread, one after the other.
import { answerInThread } from '../../core/idle-thread.ts';
import { followDrive } from './drive.ts';

answerInThread(followDrive);
