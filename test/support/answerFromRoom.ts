// A stage whose host answers as the real application does.
import type { Newsroom } from './newsroom.ts';
import type { Stage } from './stage.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/147.0.0.0';

/** The newsroom's clock is set to a second after each request came. */
export function answerFromRoom(stage: Stage, room: Pick<Newsroom, 'app' | 'setNow'>): void {
  for (const path of ['/v2/', '/events']) {
    stage.answer(path, async (call, response) => {
      room.setNow(Date.now() + 1000);
      const answer = await room.app.request(`${stage.host}${call.path}?${call.query}`, {
        method: call.method,
        headers: { 'User-Agent': AGENT },
        ...(call.body && { body: call.body }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
  }
}
