// Options that name the columns of a log: those of `import views` and `evaluate --log`.
import { Option } from 'commander';

export const viewColumnOptions = (): Option[] => [
  new Option('--time-column <name>', 'column that says when (date, time, timestamp, ts … when not named)'),
  new Option('--visitor-column <name>', 'column of the reader or session (visitor, session, session_id, user_id …)'),
  new Option('--item-column <name>', 'column of the page (url, item, item_id, article_id …)'),
];
