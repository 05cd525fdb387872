-- Answers every kind of reply.
return {1, 'text', {2, 'inner'}, false}
