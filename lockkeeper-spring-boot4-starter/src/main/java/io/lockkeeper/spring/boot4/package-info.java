/** What is particular to Spring Boot 4. */
@NullMarked
package io.lockkeeper.spring.boot4;

import org.jspecify.annotations.NullMarked;
