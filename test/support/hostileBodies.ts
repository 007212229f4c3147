// Requests made to keep the server busy: one list for each door, all of them sent by test/http/hostileBodies.test.ts.
// A row is added to the file of its door; a new door gets a file of its own and a line here.
import { dearBodies } from './hostile/bodies.ts';
import { eventBodies } from './hostile/events.ts';
import type { HostileBody } from './hostile/hostileBody.ts';
import { metadataBodies } from './hostile/metadata.ts';
import { questionBodies } from './hostile/questions.ts';

export const hostileBodies: readonly HostileBody[] = [
  ...eventBodies,
  ...metadataBodies,
  ...questionBodies,
  ...dearBodies,
];
