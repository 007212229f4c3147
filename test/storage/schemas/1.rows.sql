-- A site as release 1 stores it. Times lie in 2040, so that nothing has expired.
INSERT INTO sites (site, timezone, domains, feature_top, feature_recommendations, dials, secret_hash, write_secret_hash, created_at, updated_at) VALUES
  ('kept.example', 'UTC', ['www.kept.example'], true, true, [('mix', 0.25)], lower(hex(SHA256('read'))), lower(hex(SHA256('write'))), 2209000000000, 2209000000000);

INSERT INTO posts (site, url, page_type, title, pub_date, section, authors, tags, full_content, word_count, language, updated_at, deleted) VALUES
  ('kept.example', 'https://kept.example/harbour', 'post', 'The harbour', 2214800000000, 'World', ['Ann'], ['sea'], 'Ships and piers of the harbour, and the ferry.', 9, 'en', 2214800000000, 0),
  ('kept.example', 'https://kept.example/ferry', 'post', 'The ferry', 2214800000000, 'World', ['Bob'], ['sea'], 'The ferry crosses the harbour to the piers.', 8, 'en', 2214800000000, 0),
  ('kept.example', 'https://kept.example/film', 'video', 'The film', 2214800000000, 'World', [], [], '', 0, 'en', 2214800000000, 0),
  ('kept.example', 'https://kept.example/gone', 'post', 'Gone', 2214800000000, 'World', [], [], '', 0, 'en', 2214800000000, 1);

INSERT INTO aliases (site, alias, canonical, updated_at, deleted) VALUES
  ('kept.example', 'https://kept.example/port', 'https://kept.example/harbour', 2214800000000, 0);

INSERT INTO exclusions (site, url, updated_at, deleted) VALUES
  ('kept.example', 'https://kept.example/hidden', 2214800000000, 0);

INSERT INTO profile_visits (site, uuid, url, time) VALUES
  ('kept.example', 'reader', 'https://kept.example/ferry', toUnixTimestamp('2040-03-19 12:00:00', 'UTC') * 1000);

INSERT INTO partners (partner, secret_hash, created_at, updated_at, deleted) VALUES
  ('agency', lower(hex(SHA256('agency'))), 2209000000000, 2209000000000, 0);

INSERT INTO partner_sites (partner, site, created_at) VALUES ('agency', 'kept.example', 2209000000000);

INSERT INTO events (site, day, time, action, url, visitor, referrer_type, referrer, referrer_host, referrer_url, campaign_id, channel, device, segments)
SELECT 'kept.example', toDate(at), toUnixTimestamp(at) * 1000, 'pageview', url, visitor, type, referrer, host, from, campaign, 'website', device, segments
FROM values('at DateTime(\'UTC\'), url String, visitor UInt64, type String, referrer String, host String, from String, campaign String, device String, segments Array(String)',
  ('2040-02-14 09:00:00', 'https://kept.example/harbour', 2, 'social', 'facebook', 'l.facebook.com', '', '', 'mobile', []),
  ('2040-03-18 10:00:00', 'https://kept.example/port', 1, 'direct', '', '', '', '', 'desktop', []),
  ('2040-03-18 11:00:00', 'https://kept.example/ferry', 3, 'internal', 'kept.example', '', 'https://kept.example/harbour', '', 'desktop', []),
  ('2040-03-19 12:00:00', 'https://kept.example/harbour', 1, 'search', 'google', 'google.de', '', 'spring', 'desktop', ['members']));

INSERT INTO events (site, day, time, action, url, visitor, seconds, referrer_type, channel, device, network, video, conversion_type, conversion_label)
SELECT 'kept.example', toDate(at), toUnixTimestamp(at) * 1000, action, 'https://kept.example/harbour', visitor, seconds, 'direct', 'website', 'desktop', network, video, conversion, label
FROM values('at DateTime(\'UTC\'), action String, visitor UInt64, seconds UInt16, network String, video String, conversion String, label String',
  ('2040-03-19 12:01:00', 'heartbeat', 1, 15, '', '', '', ''),
  ('2040-03-19 12:02:00', 'share', 1, 0, 'tw', '', '', ''),
  ('2040-03-19 12:03:00', 'videostart', 1, 0, '', 'https://kept.example/film', '', ''),
  ('2040-03-19 12:04:00', 'vheartbeat', 1, 30, '', 'https://kept.example/film', '', ''),
  ('2040-03-19 12:05:00', 'conversion', 1, 0, '', '', 'newsletter_signup', 'footer'));
